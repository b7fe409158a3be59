/** Hotkeys: a stack of scopes, of which the topmost that knows a key handles it. */
type Handler = (event: KeyboardEvent, context: unknown) => unknown;

interface Registered {
  scope: Scope;
  modifiers: string | null;
  key: string | null;
  handle: Handler;
}

export class Scope {
  readonly #handlers: Registered[] = [];

  constructor(readonly parent?: Scope) {}

  register(modifiers: string[] | null, key: string | null, handle: Handler): Registered {
    const added = { scope: this, modifiers: modifiers ? [...modifiers].sort().join(",") : null, key, handle };
    this.#handlers.push(added);
    return added;
  }

  unregister(handler: Registered): void {
    this.#handlers.splice(this.#handlers.indexOf(handler), 1);
  }

  /** Returns whether the key was handled here or in the parent. */
  handle(event: KeyboardEvent): boolean {
    const found = this.#handlers.find(
      ({ key, modifiers }) =>
        (key === null || key.toLowerCase() === event.key.toLowerCase()) &&
        (modifiers === null || modifiers === pressed(event)),
    );
    if (!found) return this.parent?.handle(event) ?? false;
    if (found.handle(event, { key: event.key, modifiers: pressed(event), vkey: event.key }) === false)
      event.preventDefault();
    return true;
  }
}

const stack: Scope[] = [];

export function pushScope(scope: Scope): void {
  stack.push(scope);
}

export function popScope(scope: Scope): void {
  const at = stack.lastIndexOf(scope);
  if (at >= 0) stack.splice(at, 1);
}

/** A modal's scope goes first; with none open, the active view's. */
export function listenForKeys(win: Window, ofActiveView: () => Scope | null): void {
  win.addEventListener("keydown", (event) => void (stack.at(-1) ?? ofActiveView())?.handle(event), true);
}

/** On Linux and Windows, Mod is Ctrl. */
function pressed(event: KeyboardEvent): string {
  const held = [event.altKey && "Alt", event.ctrlKey && "Mod", event.metaKey && "Meta", event.shiftKey && "Shift"];
  return held.filter(Boolean).sort().join(",");
}
