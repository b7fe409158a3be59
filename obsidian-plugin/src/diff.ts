/** What differs between two texts, by lines and within lines by words. Pure. */

export interface Piece {
  readonly kind: "same" | "gone" | "new";
  readonly text: string;
}

/** Beyond this many cells of its table a comparison is not worth its time: all is gone, all is new. */
const MOST_CELLS = 1_000_000;

export function diffWords(before: string, after: string): Piece[] {
  return diff(
    before.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [],
    after.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [],
  );
}

/** Pieces in order, neighbours of a kind joined; their `same` and `gone` are the one text, `same` and `new` the other. */
function diff(before: readonly string[], after: readonly string[]): Piece[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  while (
    tail < Math.min(before.length, after.length) - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  )
    tail++;
  const [was, is] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  const middle = was.length * is.length > MOST_CELLS ? replaced(was, is) : aligned(was, is);
  return join([...same(before.slice(0, head)), ...middle, ...same(before.slice(before.length - tail))]);
}

function same(texts: readonly string[]): Piece[] {
  return texts.map((text) => ({ kind: "same", text }));
}

function replaced(before: readonly string[], after: readonly string[]): Piece[] {
  return [
    ...before.map((text) => ({ kind: "gone", text }) as const),
    ...after.map((text) => ({ kind: "new", text }) as const),
  ];
}

/** By the longest common subsequence. */
function aligned(before: readonly string[], after: readonly string[]): Piece[] {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      lengths[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    const [old, text] = [before[i] ?? "", after[j] ?? ""];
    if (old === text) {
      pieces.push({ kind: "same", text });
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) {
      pieces.push({ kind: "gone", text: old });
      i++;
    } else {
      pieces.push({ kind: "new", text });
      j++;
    }
  }
  return [...pieces, ...replaced(before.slice(i), after.slice(j))];
}

function join(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last?.kind === piece.kind) joined[joined.length - 1] = { kind: last.kind, text: last.text + piece.text };
    else joined.push(piece);
  }
  return joined;
}

/** Shows pieces in `el`: what is gone as `del`, what is new as `ins`. */
export function showPieces(el: HTMLElement, pieces: readonly Piece[], side: "both" | "gone" | "new" = "both"): void {
  for (const { kind, text } of pieces) {
    if (kind === "same") el.appendText(text);
    else if (side === "both" || side === kind) el.createEl(kind === "gone" ? "del" : "ins", { text });
  }
}
