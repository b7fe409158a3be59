/**
 * Makes Markdown from a model or a note inert: what comes out can be given to Obsidian's renderer and runs, loads and
 * embeds nothing, in whatever way the renderer and the plugins behind it read it.
 *
 * Two ideas keep it small. Code never reaches the renderer, so no code block processor (Dataview, Mermaid, Tasks ...)
 * sees it: a mark stands in its place and `dress` puts the code in afterwards, as text. And of everything else only what
 * is known to be harmless keeps its meaning (emphasis, headings, lists, tables, quotes, links to notes and to web pages);
 * each character with which anything else begins becomes an entity, which no tokenizer takes for the character.
 */
import { fenceAfter } from "./blocks";

export interface Code {
  readonly text: string;
  readonly block: boolean;
}

export interface Inert {
  readonly markdown: string;
  /** `codes[n]` belongs where `codeMark(n)` stands. */
  readonly codes: readonly Code[];
}

// Private-use characters: the text's own ones are replaced before any mark is set.
const MARK_OPEN = "\uE000";
const MARK_CLOSE = "\uE001";
export const CODE_MARK = /\uE000(\d+)\uE001/g;

// Bounded, so that no text makes a search long.
const CODE_SPAN = /(`+)([^`]|[^`].{0,2000}?[^`])\1(?!`)/y;
const WEB_LINK = /\[([^\]]{0,500})\]\((https?:\/\/[^\s()<>[\]"'`\\$|%]*(?:%[0-9a-f]{2}[^\s()<>[\]"'`\\$|%]*)*)\)/iy;
const NOTE_LINK =
  /\[\[[^[\]|#^:<>`$%\\~!&]{1,300}(?:#[^[\]|^:<>`$%\\~!&]{1,300})?(?:\|[^[\]|:<>`$%\\~!&]{1,300})?\]\]/y;
const LIST_ITEM = /^(?:[-*+]|\d{1,9}[.)])(?: |$)/;
const TABLE_RULE = /^(?:[ |-]|:(?!:))*$/;
const PUNCTUATION = /[!-/:-@[-`{-~]/;

export function makeInert(text: string): Inert {
  const codes: Code[] = [];
  const keep = (code: Code): string => `${MARK_OPEN}${codes.push(code) - 1}${MARK_CLOSE}`;
  const lines: string[] = [];
  let fence: string | null = null;
  let fenced: string[] = [];
  for (const line of clean(text).split("\n")) {
    const before: string | null = fence;
    fence = fenceAfter(line, fence);
    if (before === null && fence === null) lines.push(quietLine(line, keep));
    else if (before === null) fenced = [];
    else if (fence !== null) fenced.push(line);
    else lines.push("", keep({ text: fenced.join("\n"), block: true }), "");
  }
  if (fence !== null) lines.push("", keep({ text: fenced.join("\n"), block: true }));
  // At the very start "---" would open frontmatter, which is not shown.
  const markdown = lines.join("\n");
  return { markdown: markdown.startsWith("---") ? `\n${markdown}` : markdown, codes };
}

function clean(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/[\0\uE000\uE001]/g, "\uFFFD");
}

function quietLine(line: string, keep: (code: Code) => string): string {
  const rest = line.trimStart();
  const indent = " ".repeat(line.slice(0, line.length - rest.length).replace(/\t/g, "    ").length);
  // Four spaces would make code of anything but an item of a list; after ">" or "-" so would they within a line.
  const shown = LIST_ITEM.test(rest) ? indent : indent.slice(0, 3);
  const text = rest.replace(/[ \t]{2,}|\t/g, " ");
  return shown + (TABLE_RULE.test(text) ? text : quietInline(text, keep));
}

function quietInline(text: string, keep: (code: Code) => string): string {
  let out = "";
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at += found[0].length;
    return found;
  };
  while (at < text.length) {
    const char = text.charAt(at);
    const next = text.charAt(at + 1);
    let found: RegExpExecArray | null;
    if (char === "\\" && PUNCTUATION.test(next)) {
      out += entity(next);
      at += 2;
    } else if (char === "`" && (found = match(CODE_SPAN))) {
      out += keep({ text: (found[2] ?? "").replace(/^ (.*\S.*) $/, "$1"), block: false });
    } else if (char === "[" && (found = match(NOTE_LINK))) {
      out += found[0];
    } else if (char === "[" && (found = match(WEB_LINK))) {
      out += `[${quietText(found[1] || found[2] || "")}](${found[2] ?? ""})`;
    } else if (char === "`") {
      const run = /^`+/.exec(text.slice(at))?.[0].length ?? 1;
      out += entity("`").repeat(run);
      at += run;
    } else {
      out += quietChar(text, at);
      at += 1;
    }
  }
  // Dataview reads "key:: value" in rendered text, where an entity is a colon again: part the two.
  return out.replace(/(?:&#58;|:)(?=&#58;|:)/g, "$&\u2060");
}

function quietText(text: string): string {
  let out = "";
  for (let at = 0; at < text.length; at++) out += quietChar(text, at);
  return out;
}

function quietChar(text: string, at: number): string {
  const char = text.charAt(at);
  switch (char) {
    case "<":
    case "[":
    case "]":
    case "!":
    case "$":
    case "`":
    case "~":
      return entity(char);
    case "%":
      return text.charAt(at + 1) === "%" || text.charAt(at - 1) === "%" ? entity(char) : char;
    case ":":
      return /(?:^|[^a-z0-9+.-])https?$/i.test(text.slice(Math.max(0, at - 16), at)) ? char : entity(char);
    default:
      return char;
  }
}

function entity(char: string): string {
  return `&#${char.charCodeAt(0)};`;
}
