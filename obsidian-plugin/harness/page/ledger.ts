/**
 * Counts what is alive in a window: timers, intervals, and listeners on what outlives a plugin. Installed before anything else
 * runs. A plugin that is unloaded has to leave every count as it found it.
 */
export interface Counts {
  timers: number;
  intervals: number;
  /** By event and element. */
  listeners: Record<string, number>;
}

interface Listening {
  target: WeakRef<EventTarget>;
  type: string;
  listener: unknown;
  capture: boolean;
}

export class Ledger {
  readonly #timers = new Set<number>();
  readonly #intervals = new Set<number>();
  #listening: Listening[] = [];

  watch(win: Window & typeof globalThis): void {
    // Typed as the browser's own, not Node's.
    const browser: Pick<Window, "setTimeout" | "setInterval" | "clearTimeout" | "clearInterval"> = win;
    const { setTimeout: later, setInterval: repeat, clearTimeout: forgetLater, clearInterval: forgetRepeat } = browser;
    Object.assign(win, {
      setTimeout: (call: TimerHandler, ms?: number, ...args: unknown[]) => {
        const id = later.call(
          win,
          () => {
            this.#timers.delete(id);
            if (typeof call === "function") (call as (...given: unknown[]) => void)(...args);
          },
          ms,
        );
        this.#timers.add(id);
        return id;
      },
      setInterval: (...args: Parameters<typeof repeat>) => {
        const id = repeat.apply(win, args);
        this.#intervals.add(id);
        return id;
      },
      clearTimeout: (id?: number) => this.#forget(id, forgetLater.bind(win)),
      clearInterval: (id?: number) => this.#forget(id, forgetRepeat.bind(win)),
    });
    this.#watchListeners(win.EventTarget.prototype);
  }

  count(): Counts {
    this.#listening = this.#listening.filter(({ target }) => target.deref());
    const listeners: Record<string, number> = {};
    for (const { target, type } of this.#listening) {
      const alive = target.deref();
      if (!alive || !outlives(alive)) continue;
      const name = `${type} on ${describe(alive)}`;
      listeners[name] = (listeners[name] ?? 0) + 1;
    }
    return { timers: this.#timers.size, intervals: this.#intervals.size, listeners };
  }

  #forget(id: number | undefined, clear: (id: number | undefined) => void): void {
    for (const known of [this.#timers, this.#intervals]) known.delete(id ?? 0);
    clear(id);
  }

  #watchListeners(prototype: EventTarget): void {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the target that they were called on
    const { addEventListener: add, removeEventListener: remove } = prototype;
    const note = this.#note.bind(this);
    const drop = this.#drop.bind(this);
    prototype.addEventListener = function (this: EventTarget | undefined, type, listener, options) {
      const target = this ?? window;
      const { once = false, signal = null } = typeof options === "object" ? options : {};
      const capture = typeof options === "object" ? (options.capture ?? false) : (options ?? false);
      if (listener) {
        note({ target: new WeakRef(target), type, listener, capture });
        const gone = () => drop(target, type, listener, capture);
        if (signal) add.call(signal, "abort", gone);
        if (once) add.call(target, type, gone, { once, capture });
      }
      add.call(target, type, listener, options);
    };
    prototype.removeEventListener = function (this: EventTarget | undefined, type, listener, options) {
      const capture = typeof options === "object" ? (options.capture ?? false) : (options ?? false);
      drop(this ?? window, type, listener, capture);
      remove.call(this ?? window, type, listener, options);
    };
  }

  #note(added: Listening): void {
    const { type, listener, capture } = added;
    const target = added.target.deref();
    if (target) this.#drop(target, type, listener, capture); // adding it twice is adding it once
    this.#listening.push(added);
  }

  #drop(target: EventTarget, type: string, listener: unknown, capture: boolean): void {
    const at = this.#listening.findIndex(
      (entry) =>
        entry.listener === listener &&
        entry.type === type &&
        entry.capture === capture &&
        entry.target.deref() === target,
    );
    if (at >= 0) this.#listening.splice(at, 1);
  }
}

/** Listeners on an element that left the page go with it; on a signal or a request, too. */
function outlives(target: EventTarget): boolean {
  if ("isConnected" in target) return (target as Node).isConnected;
  return "document" in target || target.constructor.name === "MediaQueryList";
}

function describe(target: EventTarget): string {
  return "className" in target ? `.${String(target.className).split(" ")[0]}` : target.constructor.name;
}
