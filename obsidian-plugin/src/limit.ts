/** How long a question or a search may be. */

/** Characters (code points), as `AskRequest` and `SearchRequest` have it. */
export const MOST_CHARACTERS = 4000;
/** A field that holds much more than this is slow to draw: what would make it longer is not put in. */
const MOST_SHOWN = 10 * MOST_CHARACTERS;

/** By how many characters `text` is too long. */
export function excess(text: string): number {
  const long = text.trim();
  return long.length <= MOST_CHARACTERS ? 0 : Math.max(0, [...long].length - MOST_CHARACTERS);
}

/** Keeps a paste of megabytes out of a field; `tell` is given its length. */
export function refuseFloods(
  input: HTMLInputElement | HTMLTextAreaElement,
  tell: (length: number) => void,
): (event: InputEvent) => void {
  return (event) => {
    const length = event.data?.length ?? 0;
    if (length < 2 || input.value.length + length <= MOST_SHOWN) return;
    event.preventDefault();
    tell(length);
  };
}
