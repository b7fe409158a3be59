/**
 * Text from a model or a note that is to be written into a note of the person: what another plugin, or Obsidian itself,
 * would run, load or open loses that meaning; everything else stays as it is. Pure.
 *
 * It is read by more than the pane is (Dataview and its like in code, Templater in new notes), so a few signs are escaped
 * that `inert` need not look at; unlike there the result is to be read and edited, so nothing else becomes an entity.
 */
import { fenceAfter } from "../blocks";

/** Languages that nothing runs. */
const PLAIN = /^(?:text|txt|md|markdown|json|ya?ml|toml|xml|html|css|sql|sh|bash|python|py|rust|go|java|c|cpp|diff)$/i;
/** Within code, and yet to a hasty reader the beginning of other code. */
const OPENS = /^\s*(?:`{3,}|~{3,})\s*\S/;
const CODE_SPAN = /(`+)([^`]|[^`].{0,2000}?[^`])\1(?!`)/g;
const WEB_LINK = /^\]\(https?:\/\/[^\s()]*\)/i;
/** Dataview's inline queries, Meta Bind's fields. */
const RUNS = /^\s*(?:\$?=|[A-Z]{2,}\[)/;

export function disarm(text: string): string {
  const lines: string[] = [];
  let fence: string | null = null;
  for (const line of text.replace(/\r\n?/g, "\n").replace(/\0/g, "\uFFFD").split("\n")) {
    const before = fence;
    fence = fenceAfter(line, fence);
    if (before === null && fence === null) lines.push(disarmLine(line));
    else if (before === null) lines.push(disarmFence(line));
    else lines.push(fence !== null && OPENS.test(line) ? `\u2060${line}` : line);
  }
  if (fence !== null) lines.push(fence); // else it would take in what stands below
  return lines.join("\n");
}

/** The code behind it is shown, in colours where that is safe, and run by nobody. */
function disarmFence(line: string): string {
  const [, mark = "", language = ""] = /^\s*(`{3,}|~{3,})\s*(\S*)/.exec(line) ?? [];
  return mark + (PLAIN.test(language) ? language : "text");
}

function disarmLine(line: string): string {
  let out = "";
  let from = 0;
  for (const found of line.matchAll(CODE_SPAN)) {
    const [whole, mark = "", code = ""] = found;
    out += disarmText(line.slice(from, found.index)) + (RUNS.test(code) ? `${mark}\u2060${code}${mark}` : whole);
    from = found.index + whole.length;
  }
  return out + disarmText(line.slice(from));
}

function disarmText(text: string): string {
  return text
    .replace(/<(?=[a-z/!?%])/gi, "&lt;")
    .replace(/!(?=\[)/g, "\\!")
    .replace(/\$/g, "\\$")
    .replace(/`/g, "\\`")
    .replace(/\](?=\()/g, (_sign, at: number, whole: string) => (WEB_LINK.test(whole.slice(at)) ? "]" : "\\]"))
    .replace(/^(\s*\[[^\]]*)\]:/, "$1\\]:")
    .replace(/\b(?!https?:)([a-z][a-z0-9+.-]{1,20}):(?=\/\/)/gi, "$1&#58;");
}
