/** Keeps a sidecar reachable for one vault: starts it or finds the one that runs, and starts it again when it is gone. */
import type { SidecarClient } from "./client";
import { reasonOf, windowClock, type Clock } from "./clock";
import { fail, SidecarFailure } from "./failure";
import type { Host } from "./host";
import { Session } from "./session";
import { follow, UNTOUCHED, type Happening, type SidecarState } from "./state";

export interface SupervisorOptions {
  /** Absolute. */
  vaultPath: string;
  host: Host;
  /** Read at each start. `zibPath` is empty where `zib` is to be searched for. */
  settings: () => { zibPath: string; startAutomatically: boolean };
  clock?: Clock;
  fetch?: typeof window.fetch;
}

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #clock: Clock;
  /** The `zib` that was found last; null: none so far. */
  program: string | null = null;
  readonly #listeners = new Set<(state: SidecarState) => void>();
  #supervision = UNTOUCHED;
  /** What `starting` and `ready` hold. What comes from any other session is out of date. */
  #session: Session | null = null;
  /** The end of all earlier sessions: their child holds the vault until then. */
  #ending: Promise<unknown> = Promise.resolve();
  #cancelRetry: () => void = () => undefined;
  /** Whether a sidecar that a request did not find is gone. */
  #checking: Promise<void> = Promise.resolve();
  #asked = false;
  #closed = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#clock = options.clock ?? windowClock;
  }

  get state(): SidecarState {
    return this.#supervision.state;
  }

  /** Calls `listener` after each change of `state` (not at once). Returns the function that ends that. */
  subscribe(listener: (state: SidecarState) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * The client, once the sidecar is ready. Starts it if nobody has yet; waits while it is starting or is to be tried
   * again. Rejects with `SidecarFailure` where it cannot be had, with an `AbortError` when `signal` is aborted (the
   * start goes on, for others).
   */
  async connect(signal?: AbortSignal): Promise<SidecarClient> {
    if (signal?.aborted) throw reasonOf(signal);
    if (this.state.kind === "stopped" && !this.#closed) {
      if (this.#asked || this.#options.settings().startAutomatically) this.#start("start");
    }
    return this.#settled(signal);
  }

  /**
   * The person asks for a start: ends what is there, forgets earlier failures, starts whatever the settings say.
   * Resolves when it is ready, has failed or was closed: `state` says which.
   */
  async restart(): Promise<void> {
    if (this.#closed) return;
    this.#asked = true;
    this.#letGo();
    this.#start("asked");
    await this.#settled().catch(() => undefined);
  }

  /** `failure`, or what became of the sidecar where that is known to be the reason. */
  async explain(failure: SidecarFailure): Promise<SidecarFailure> {
    if (failure.code !== "interrupted") return failure;
    await this.#checking;
    const { state } = this;
    return state.kind === "waiting" && state.failure.code === "crashed" ? state.failure : failure;
  }

  /** For good. Ends the child, if it is ours; leaves no process, timer or listener. May be called at any time and twice. */
  async close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      this.#letGo();
      this.#apply({ kind: "closed" });
      this.#listeners.clear();
    }
    await this.#ending;
  }

  #start(kind: "start" | "asked"): void {
    const { vaultPath, host, settings, fetch } = this.#options;
    const session: Session = new Session({
      vaultPath,
      zibPath: settings().zibPath,
      host,
      clock: this.#clock,
      onFound: (program) => (this.program = program),
      onLost: () => {
        this.#checking = this.#check(session);
      },
      ...(fetch ? { fetch } : {}),
    });
    this.#session = session;
    this.#apply({ kind });
    void this.#open(session);
  }

  async #open(session: Session): Promise<void> {
    await this.#ending;
    if (session !== this.#session) return;
    const opened = await session.open().catch(asFailure);
    if (session !== this.#session) return;
    if (opened instanceof SidecarFailure) {
      this.#lose(opened);
      return;
    }
    this.#apply({ kind: "opened", ...opened });
    // One that only named the owner is expected to end.
    if (opened.owned) session.whenChildEnds(() => void this.#check(session));
  }

  /** Something suggests that the sidecar is gone: the child ended, or a request found nobody. Ask it. */
  async #check(session: Session): Promise<void> {
    if (session !== this.#session || this.state.kind !== "ready") return;
    const { owned } = this.state;
    if (!(await session.answers())) {
      const ended = owned ? await session.explainChildEnd() : null;
      if (session === this.#session) this.#lose(ended ?? fail("unreachable", "sidecar.unreachable"));
    } else if (owned && session.childHasEnded && session === this.#session && this.state.kind === "ready") {
      // Only seen on Windows, where a pid does not tell: the child was one that named the owner and ended.
      this.#apply({ ...this.state, kind: "opened", owned: false });
    }
  }

  #lose(failure: SidecarFailure): void {
    this.#letGo();
    this.#apply({ kind: "failure", failure });
  }

  #letGo(): void {
    if (this.#session) this.#ending = Promise.all([this.#ending, this.#session.end()]);
    this.#session = null;
  }

  #apply(happening: Happening): void {
    const now = this.#clock.now();
    this.#supervision = follow(this.#supervision, happening, now);
    this.#cancelRetry();
    if (this.state.kind === "waiting") {
      this.#cancelRetry = this.#clock.after(this.state.retryAt - now, () => this.#start("start"));
    }
    for (const listener of [...this.#listeners]) listener(this.state);
  }

  /** The client of the next state that stays. */
  #settled(signal?: AbortSignal): Promise<SidecarClient> {
    return new Promise((resolve, reject) => {
      const look = (state: SidecarState) => {
        if (state.kind === "starting" || state.kind === "waiting") return;
        leave();
        if (state.kind === "ready") resolve(state.client);
        else reject(state.kind === "failed" ? state.failure : fail("not_started", "sidecar.notStarted"));
      };
      const abort = () => {
        leave();
        if (signal) reject(reasonOf(signal));
      };
      const unsubscribe = this.subscribe(look);
      const leave = () => {
        unsubscribe();
        signal?.removeEventListener("abort", abort);
      };
      signal?.addEventListener("abort", abort);
      look(this.state);
    });
  }
}

function asFailure(error: unknown): SidecarFailure {
  return error instanceof SidecarFailure ? error : new SidecarFailure("internal", String(error));
}
