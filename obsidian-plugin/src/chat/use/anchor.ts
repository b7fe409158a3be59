/** A place in a text that is found again after the text was changed elsewhere. Pure. */
export interface Anchor {
  /** Characters before it. */
  readonly offset: number;
  readonly before: string;
  readonly after: string;
}

/** So much on both sides tells one place from another. */
const NEAR = 120;
const LEAST = 12;

export function makeAnchor(text: string, offset: number): Anchor {
  return { offset, before: text.slice(Math.max(0, offset - NEAR), offset), after: text.slice(offset, offset + NEAR) };
}

/** Where it is now, the nearest if it could be several; null: its surroundings were changed too. */
export function findAnchor(text: string, { offset, before, after }: Anchor): number | null {
  if (text.slice(0, offset).endsWith(before) && text.startsWith(after, offset)) return offset;
  for (let size = NEAR; size >= LEAST; size = Math.floor(size / 2)) {
    const both = [before.slice(-size), after.slice(0, size)] as const;
    const found = [both, [both[0], ""] as const, ["", both[1]] as const]
      .filter(([a, b]) => (a + b).trim().length >= LEAST)
      .map(([a, b]) => nearest(text, a, b, offset))
      .find((at) => at !== null);
    if (found !== undefined) return found;
  }
  return before.trim() === "" && after.trim() === "" ? text.length : null;
}

function nearest(text: string, before: string, after: string, offset: number): number | null {
  const wanted = before + after;
  let best: number | null = null;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const place = at + before.length;
    if (best === null || Math.abs(place - offset) < Math.abs(best - offset)) best = place;
  }
  return best;
}
