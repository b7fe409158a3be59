/** Finishes what the renderer made: puts code back as text, and turns markers into chips. */
import { CODE_MARK, type Code } from "./inert";

/** Puts `codes` where their marks stand. */
export function restoreCode(el: HTMLElement, codes: readonly Code[]): void {
  if (codes.length === 0) return;
  replaceText(el, CODE_MARK, (match) => {
    const code = codes[Number(match[1])];
    if (!code) return null;
    if (!code.block) return createEl("code", { text: code.text });
    const pre = createEl("pre");
    pre.createEl("code", { text: code.text });
    return pre;
  });
  for (const pre of el.findAll("p > pre:only-child")) pre.parentElement?.replaceWith(pre);
}

const MARKER = /\s?\[(\d{1,3})\]/g;

/** Markdown cut at its markers, those in code left as text. */
export function splitMarkers(markdown: string): (string | { marker: number; text: string })[] {
  const parts: (string | { marker: number; text: string })[] = [];
  let from = 0;
  for (const found of markdown.matchAll(/(`+|~{3,})[\s\S]*?\1|\s?\[(\d{1,3})\](?!\()/g)) {
    const [text, , marker] = found;
    if (marker === undefined) continue;
    parts.push(markdown.slice(from, found.index), { marker: Number(marker), text });
    from = found.index + text.length;
  }
  return [...parts, markdown.slice(from)];
}

/** Puts what `make` gives in the place of "[n]" wherever that is text, not code or a link. */
export function replaceMarkers(el: HTMLElement, make: (marker: number) => HTMLElement | null): void {
  replaceText(el, MARKER, (match) => make(Number(match[1])), "code, a");
}

type Make = (match: RegExpExecArray) => Node | null;

function replaceText(el: HTMLElement, pattern: RegExp, make: Make, except = ""): void {
  const walker = el.doc.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    if (except === "" || !text.parentElement?.closest(except)) texts.push(text);
  }
  for (const text of texts) replaceWithin(text, pattern, make);
}

function replaceWithin(text: Text, pattern: RegExp, make: Make): void {
  const whole = text.data;
  const parts: (string | Node)[] = [];
  let from = 0;
  for (const match of whole.matchAll(pattern)) {
    const node = make(match);
    if (!node) continue;
    parts.push(whole.slice(from, match.index), node);
    from = match.index + match[0].length;
  }
  if (parts.length > 0) text.replaceWith(...parts, whole.slice(from));
}
