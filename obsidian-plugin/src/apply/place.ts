/** Where the hunks of a proposal go in a text that may have moved on since. Pure. */
import type { ProposedHunk } from "../../../shared-schemas/zibaldone";

/** `text` instead of the characters from `from` to `to`. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * The edits, from the first to the last; null where one of them has no place that is beyond doubt: its old lines are not there, or
 * twice, or it only inserts and the text is not the one (`exact`) that its line numbers are of.
 */
export function placeHunks(text: string, hunks: readonly ProposedHunk[], exact: boolean): Edit[] | null {
  const edits: Edit[] = [];
  for (const hunk of hunks) {
    // An editor has one kind of line ending, and a note that has another is left to whoever keeps its bytes.
    if (/\r/.test(hunk.old + hunk.new)) return null;
    const from = exact ? startOfLine(text, hunk.old_line) : findOnly(text, hunk.old);
    if (from === null || !text.startsWith(hunk.old, from)) return null;
    edits.push(shrink({ from, to: from + hunk.old.length, text: hunk.new }, hunk.old));
  }
  edits.sort((a, b) => a.from - b.from);
  return edits.some((edit, index) => edit.from < (edits[index - 1]?.to ?? 0)) ? null : edits;
}

export function applyEdits(text: string, edits: readonly Edit[]): string {
  let [done, at] = ["", 0];
  for (const edit of edits) {
    done += text.slice(at, edit.from) + edit.text;
    at = edit.to;
  }
  return done + text.slice(at);
}

/** Without what is the same at either end, so that a cursor in the line stays where it is. */
function shrink({ from, to, text }: Edit, old: string): Edit {
  let head = 0;
  while (head < old.length && head < text.length && old[head] === text[head]) head++;
  let tail = 0;
  while (tail < Math.min(old.length, text.length) - head && old.at(-1 - tail) === text.at(-1 - tail)) tail++;
  return { from: from + head, to: to - tail, text: text.slice(head, text.length - tail) };
}

/** Of the line that counts from 1; the end of the text for the one after the last. */
function startOfLine(text: string, line: number): number | null {
  let at = 0;
  for (let number = 1; number < line; number++) {
    const end = text.indexOf("\n", at);
    if (end < 0) return number === line - 1 ? text.length : null;
    at = end + 1;
  }
  return at;
}

/** Where whole lines stand that are there once. */
function findOnly(text: string, lines: string): number | null {
  if (lines === "") return null;
  const places: number[] = [];
  for (let at = text.indexOf(lines); at >= 0 && places.length < 2; at = text.indexOf(lines, at + 1)) {
    const end = at + lines.length;
    const isWhole = (at === 0 || text[at - 1] === "\n") && (lines.endsWith("\n") || end === text.length);
    if (isWhole) places.push(at);
  }
  return places.length === 1 ? (places[0] ?? null) : null;
}
