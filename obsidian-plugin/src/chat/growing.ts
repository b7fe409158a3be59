/**
 * Plain text that grows at its end. Each finished line is an element of its own that is not touched again, and so is each
 * stretch of a long one, so that adding a word costs the same however much stands before it.
 */

/** Characters of a line after which those of its rows that are full are set apart. */
const LONG = 800;
/** Lines of one group: a browser looks at all children of an element that changed, so there are never many. */
const GROUP = 32;

export class GrowingText {
  private length = 0;
  private line: Text | null = null;
  private group: HTMLElement | null = null;

  constructor(readonly el: HTMLElement) {}

  /** `text` begins with what was given since the last `clear`. */
  grow(text: string): void {
    const [first = "", ...others] = text.slice(this.length).split("\n");
    this.length = text.length;
    this.add(first);
    for (const other of others) {
      this.line = null;
      this.add(other);
    }
  }

  clear(): void {
    this.length = 0;
    this.line = this.group = null;
    this.el.empty();
  }

  private add(text: string): void {
    this.line ??= this.begin();
    this.line.appendData(text);
    if (this.line.length < LONG) return;
    const last = findLastRow(this.line);
    if (last === 0) return;
    const rest = this.line.data.slice(last);
    this.line.data = this.line.data.slice(0, last).trimEnd();
    this.line = this.begin();
    this.line.data = rest;
  }

  private begin(): Text {
    const line = this.el.doc.createTextNode("");
    if (this.group === null || this.group.childElementCount >= GROUP) this.group = this.el.createDiv();
    this.group.createDiv().append(line);
    return line;
  }
}

/** Where the last row on the screen begins: cut there, a text looks as before. 0: it has one row, or is not drawn. */
function findLastRow(text: Text): number {
  const range = text.ownerDocument.createRange();
  const topAt = (at: number): number => {
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    return range.getBoundingClientRect().top;
  };
  const words = [...text.data.matchAll(/\S+/g)].map(({ index }) => index);
  const bottom = topAt(words.at(-1) ?? 0);
  let first = words.length - 1;
  while (first > 0 && topAt(words[first - 1] ?? 0) === bottom) first--;
  return words[first] ?? 0;
}
