/** Which names fit what was typed, the best first. Case and accents make no difference. Pure. */
import { fold } from "../../fold";

export interface Named {
  /** Folded. */
  readonly name: string;
  /** Folded: where it is, its name included. */
  readonly path: string;
}

export function rank<T extends Named>(all: readonly T[], query: string, most: number): T[] {
  const wanted = fold(query.trim());
  const words = wanted.split(/\s+/).filter((word) => word !== "");
  const found: { one: T; place: number }[] = [];
  for (const one of all) {
    const place = placeOf(one, wanted, words);
    if (place !== null) found.push({ one, place });
  }
  found.sort((a, b) => a.place - b.place || a.one.name.length - b.one.name.length);
  return found.slice(0, most).map(({ one }) => one);
}

function placeOf({ name, path }: Named, wanted: string, words: readonly string[]): number | null {
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  if (words.every((word) => startsWord(name, word))) return 2;
  if (words.every((word) => name.includes(word))) return 3;
  return words.every((word) => path.includes(word)) ? 4 : null;
}

function startsWord(name: string, word: string): boolean {
  const at = name.indexOf(word);
  return at === 0 || (at > 0 && /[^\p{L}\p{N}]/u.test(name.charAt(at - 1)));
}
