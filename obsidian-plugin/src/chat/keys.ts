/** What a key does in the composer. Pure. */
export interface Key {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly isComposing: boolean;
  /** Deprecated, and still the only sign that an input method took a key after its composition ended. */
  readonly keyCode: number;
}

const TAKEN_BY_INPUT_METHOD = 229;

/** Whether the key is the input method's. */
export function isComposing(event: Pick<Key, "isComposing" | "keyCode">): boolean {
  return event.isComposing || event.keyCode === TAKEN_BY_INPUT_METHOD;
}

/** Enter sends; with a modifier it is a new line, or somebody's hotkey; while an input method composes it picks a word. */
export function sends(event: Key): boolean {
  if (event.key !== "Enter" || isComposing(event)) return false;
  return !(event.shiftKey || event.ctrlKey || event.altKey || event.metaKey);
}
