/**
 * Cuts streamed Markdown into blocks that no later text can change: a blank line outside a code fence seals what stands
 * before it, and in a long list so does an item. Each character is looked at once, so a long answer costs no more a piece
 * than a short one.
 */
const ITEM = /^(?:[-*+]|\d{1,9}[.)]) /;
const LONG_LIST = 1500;
export const FENCE = /^ {0,3}(`{3,}|~{3,})/;

export class Blocks {
  /** What is not sealed yet. */
  open = "";
  private scanned = 0;
  private fence: string | null = null;

  /** Takes more text and gives the blocks that it sealed. */
  push(text: string): string[] {
    const sealed: string[] = [];
    let from = this.open.length;
    this.open += text;
    for (;;) {
      const end = this.open.indexOf("\n", from);
      if (end < 0) return sealed;
      const start = this.scanned;
      const line = this.open.slice(start, end);
      this.scanned = from = end + 1;
      const fenced = this.fence !== null;
      this.fence = fenceAfter(line, this.fence);
      if (fenced || this.fence !== null) continue;
      if (line.trim() === "") this.seal(end + 1, sealed);
      else if (start > LONG_LIST && ITEM.test(line)) this.seal(start, sealed);
      else continue;
      from = this.scanned;
    }
  }

  /** What stands before `end` is a block, unless it is blank. */
  private seal(end: number, sealed: string[]): void {
    const block = this.open.slice(0, end).trimEnd();
    if (block) sealed.push(block);
    this.open = this.open.slice(end);
    this.scanned -= end;
  }
}

/** The whole of a text in blocks. */
export function splitBlocks(text: string): string[] {
  const blocks = new Blocks();
  const sealed = blocks.push(text);
  return blocks.open.trim() ? [...sealed, blocks.open] : sealed;
}

/** The fence that is open after `line`, given the one that was open before it. */
export function fenceAfter(line: string, open: string | null): string | null {
  const mark = FENCE.exec(line)?.[1];
  if (open === null) return mark ?? null;
  const closes = mark !== undefined && mark[0] === open[0] && mark.length >= open.length && line.trim() === mark;
  return closes ? null : open;
}
