/**
 * `MarkdownRenderer`: the part of Obsidian's Markdown that answers and notes use. It lets HTML through as it stands, event
 * handlers and all: what a plugin leaves active would show here, even where Obsidian's own cleaning would have caught it.
 */
import type { MarkdownPostProcessor, MarkdownPostProcessorContext } from "obsidian";
import { type Component, MarkdownRenderChild } from "obsidian-test-mocks/obsidian";

type CodeBlock = (source: string, el: HTMLElement, context: MarkdownPostProcessorContext) => unknown;

const postProcessors = new Set<MarkdownPostProcessor>();
const codeBlocks = new Map<string, CodeBlock>();

export function addPostProcessor(processor: MarkdownPostProcessor): () => void {
  postProcessors.add(processor);
  return () => postProcessors.delete(processor);
}

export function addCodeBlock(language: string, handler: CodeBlock): () => void {
  codeBlocks.set(language, handler);
  return () => codeBlocks.delete(language);
}

export class MarkdownRenderer extends MarkdownRenderChild {
  static async render(
    _app: unknown,
    markdown: string,
    el: HTMLElement,
    sourcePath: string,
    component: Component,
  ): Promise<void> {
    const holder = el.doc.createElement("template");
    holder.innerHTML = toHtml(markdown);
    el.appendChild(holder.content);
    const context = {
      docId: "",
      sourcePath,
      frontmatter: {},
      addChild: (child: MarkdownRenderChild) => void component.addChild(child),
      getSectionInfo: () => null,
    } as unknown as MarkdownPostProcessorContext;
    for (const code of el.querySelectorAll<HTMLElement>("pre > code[class^=language-]")) {
      const handler = codeBlocks.get(code.className.replace("language-", ""));
      const block = createDiv(`block-${code.className}`);
      if (!handler) continue;
      code.parentElement?.replaceWith(block);
      await handler(code.textContent ?? "", block, context);
    }
    for (const processor of postProcessors) await (processor(el, context) as unknown);
  }
}

export function toHtml(markdown: string): string {
  return blocks(markdown.replace(/\r\n?/g, "\n").split("\n")).join("\n");
}

/** One function per kind of block; each takes its lines from the front, or none. */
type Block = (lines: string[]) => string | null;

const KINDS: Block[] = [fence, heading, rule, quote, table, list, html, paragraph];

function blocks(lines: string[]): string[] {
  const rest = [...lines];
  const found: string[] = [];
  while (rest.length > 0) {
    if (rest[0]?.trim() === "") {
      rest.shift();
      continue;
    }
    for (const kind of KINDS) {
      const block = kind(rest);
      if (block === null) continue;
      found.push(block);
      break;
    }
  }
  return found;
}

function takeWhile(lines: string[], fits: (line: string) => boolean): string[] {
  const end = lines.findIndex((line) => !fits(line));
  return lines.splice(0, end < 0 ? lines.length : end);
}

function fence(lines: string[]): string | null {
  const [, mark, language] = /^ {0,3}(`{3,}|~{3,}) *([^\s`]*)/.exec(lines[0] ?? "") ?? [];
  if (!mark) return null;
  lines.shift();
  const body = takeWhile(lines, (line) => !line.trim().startsWith(mark));
  lines.shift();
  return `<pre><code${language ? ` class="language-${escape(language)}"` : ""}>${escape(body.join("\n"))}\n</code></pre>`;
}

function heading(lines: string[]): string | null {
  const [, level, text] = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/.exec(lines[0] ?? "") ?? [];
  if (!level) return null;
  lines.shift();
  return `<h${level.length} data-heading="${escape(text ?? "")}">${inline(text ?? "")}</h${level.length}>`;
}

function rule(lines: string[]): string | null {
  if (!/^ {0,3}([-*_])( *\1){2,} *$/.test(lines[0] ?? "")) return null;
  lines.shift();
  return "<hr>";
}

function quote(lines: string[]): string | null {
  if (!lines[0]?.startsWith(">")) return null;
  const body = takeWhile(lines, (line) => line.startsWith(">")).map((line) => line.replace(/^> ?/, ""));
  return `<blockquote>${blocks(body).join("\n")}</blockquote>`;
}

function table(lines: string[]): string | null {
  if (!lines[0]?.includes("|") || !/^[\s|:-]*-[\s|:-]*$/.test(lines[1] ?? "") || !lines[1]?.includes("|")) return null;
  const [head = "", , ...body] = takeWhile(lines, (line) => line.includes("|"));
  const cells = (line: string) =>
    line
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|");
  const row = (line: string, tag: string) =>
    `<tr>${cells(line)
      .map((cell) => `<${tag}>${inline(cell.trim())}</${tag}>`)
      .join("")}</tr>`;
  return `<table><thead>${row(head, "th")}</thead><tbody>${body.map((line) => row(line, "td")).join("")}</tbody></table>`;
}

const ITEM = /^( *)([-*+]|\d{1,9}[.)])( +)(.*)$/;

function list(lines: string[]): string | null {
  const first = ITEM.exec(lines[0] ?? "");
  if (!first) return null;
  const indent = first[1]?.length ?? 0;
  const isOrdered = /\d/.test(first[2] ?? "");
  const items: string[][] = [];
  while (lines.length > 0) {
    const line = lines[0] ?? "";
    const [, spaces = "", , , text = ""] = ITEM.exec(line) ?? [];
    if (ITEM.test(line) && spaces.length <= indent) items.push([text]);
    else if (line.startsWith(" ".repeat(indent + 2))) items.at(-1)?.push(line.slice(indent + 2));
    else break;
    lines.shift();
  }
  const tag = isOrdered ? "ol" : "ul";
  const start = isOrdered ? ` start="${parseInt(first[2] ?? "1", 10)}"` : "";
  return `<${tag}${start}>${items.map(item).join("")}</${tag}>`;
}

function item([text = "", ...below]: string[]): string {
  const [, mark, rest] = /^\[(.)\] (.*)$/.exec(text) ?? [];
  const nested = blocks(below).join("\n");
  if (mark === undefined) return `<li>${inline(text)}${nested}</li>`;
  const state = mark === " " ? "" : " checked";
  return `<li class="task-list-item" data-task="${escape(mark)}"><input type="checkbox" class="task-list-item-checkbox"${state}>${inline(rest ?? "")}${nested}</li>`;
}

function html(lines: string[]): string | null {
  if (!/^ {0,3}<[a-z/!]/i.test(lines[0] ?? "")) return null;
  return takeWhile(lines, (line) => line.trim() !== "").join("\n");
}

function paragraph(lines: string[]): string {
  const begins = (line: string) => /^ {0,3}(#{1,6}\s|`{3}|~{3}|>|[-*+] |\d{1,9}[.)] )/.test(line);
  const first = lines.shift() ?? "";
  const text = [first, ...takeWhile(lines, (line) => line.trim() !== "" && !begins(line))];
  return `<p>${inline(text.map((line) => line.trim()).join("\n"))}</p>`;
}

/** Longest first: what is inside code or a link is not looked at again. */
const INLINE: [RegExp, (...groups: string[]) => string][] = [
  [/^\\([\\`*_{}[\]()#+.!|<>~$=^-])/, (char) => escape(char)],
  [/^&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/i, (entity) => `&${entity};`],
  [/^(`+)(?!`)(.+?)(?<!`)\1(?!`)/s, (_mark, code) => `<code>${escape((code ?? "").trim())}</code>`],
  [
    /^!\[\[([^\]|#]+)([^\]|]*)\|?([^\]]*)\]\]/,
    (path, sub) => `<span class="internal-embed" src="${escape(path + (sub ?? ""))}"></span>`,
  ],
  [/^\[\[([^\]|]+)\|?([^\]]*)\]\]/, (link, alias) => internal(link, alias || link)],
  [/^!\[([^\]]*)\]\(<?([^)\s>]+)>?[^)]*\)/, (alt, url) => `<img src="${escape(url ?? "")}" alt="${escape(alt)}">`],
  [/^\[((?:[^[\]]|\[[^\]]*\])*)\]\(<?([^)\s>]+)>?[^)]*\)/, (text, url) => external(url ?? "", inline(text))],
  [/^<((?:https?|obsidian|javascript):[^\s>]+)>/, (url) => external(url, escape(url))],
  [/^<(\/?[a-z][^>]*|!--.*?--)>/is, (tag) => `<${tag}>`],
  [/^\*\*(.+?)\*\*/s, (text) => `<strong>${inline(text)}</strong>`],
  [/^__(.+?)__/s, (text) => `<strong>${inline(text)}</strong>`],
  [/^~~(.+?)~~/s, (text) => `<del>${inline(text)}</del>`],
  [/^==(.+?)==/s, (text) => `<mark>${inline(text)}</mark>`],
  [/^\*(?!\s)(.+?)(?<!\s)\*/s, (text) => `<em>${inline(text)}</em>`],
  [/^https?:\/\/[^\s<)]+/, () => ""],
  [
    /^#([\p{L}\p{N}_/-]*[\p{L}_/-][\p{L}\p{N}_/-]*)/u,
    (tag) => `<a href="#${escape(tag)}" class="tag">#${escape(tag)}</a>`,
  ],
  [/^\n/, () => "<br>\n"],
];

function inline(text: string): string {
  let html = "";
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at);
    const atWordStart = at === 0 || /[\s(]/.test(text[at - 1] ?? "");
    const [found, make] = match(rest, atWordStart);
    html += found ? make(found) : escape(text[at] ?? "");
    at += found?.[0].length ?? 1;
  }
  return html;
}

function match(rest: string, atWordStart: boolean): [RegExpExecArray | null, (found: RegExpExecArray) => string] {
  for (const [pattern, make] of INLINE) {
    const found = pattern.exec(rest);
    if (!found || (/^(#|_|http)/.test(found[0]) && !atWordStart)) continue;
    return [
      found,
      ([whole, ...groups]) => (whole?.startsWith("http") ? external(whole, escape(whole)) : make(...groups)),
    ];
  }
  return [null, () => ""];
}

function internal(link: string, text: string): string {
  return `<a data-href="${escape(link)}" href="${escape(link)}" class="internal-link" target="_blank" rel="noopener nofollow">${escape(text)}</a>`;
}

function external(url: string, html: string): string {
  return `<a class="external-link" href="${escape(url)}" target="_blank" rel="noopener nofollow">${html}</a>`;
}

function escape(text: string): string {
  const named: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (char) => named[char] ?? char);
}
