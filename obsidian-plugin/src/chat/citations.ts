/** Citations: a chip in the text for each marker, and the list of sources below it. */
import { setIcon } from "obsidian";
import type { Citation } from "../../../shared-schemas/zibaldone";
import { folderOf, linkTo, noteName, placeOf, type LinkContext } from "../place";
import { say } from "../words";
import { replaceMarkers } from "./dress";

/** Turns each "[n]" in `el` that has a citation into a chip that leads there. */
export function addChips(el: HTMLElement, citations: readonly Citation[], context: LinkContext): void {
  replaceMarkers(el, (marker) => {
    const citation = citations.find((one) => one.marker === marker);
    return citation ? makeChip(citation, context) : null;
  });
}

/** No aria-label here: Obsidian would show it as a tooltip over the page preview. */
function makeChip(citation: Citation, context: LinkContext): HTMLElement {
  const chip = createEl("a", { cls: "zibaldone-chip", href: "#" });
  chip.toggleClass("is-unsupported", !citation.supported);
  chip.createSpan({ text: String(citation.marker) });
  const place = say("answer.lines", { path: citation.path, line: citation.line_start });
  chip.createSpan({ cls: "zibaldone-hidden", text: say("answer.source", { marker: citation.marker, place }) });
  linkTo(chip, placeOf(citation), context);
  return chip;
}

export function showSources(parent: HTMLElement, citations: readonly Citation[], context: LinkContext): void {
  parent.createDiv({ cls: "zibaldone-heading", text: say("answer.sources") });
  const list = parent.createEl("ol", { cls: "zibaldone-sources" });
  for (const citation of citations) showSource(list, citation, context);
}

function showSource(list: HTMLElement, citation: Citation, context: LinkContext): void {
  const item = list.createEl("li", { cls: "zibaldone-source" });
  item.createSpan({ cls: "zibaldone-marker", text: String(citation.marker) });
  const body = item.createDiv({ cls: "zibaldone-source-body" });
  showPlace(body, citation, context);
  body.createEl("blockquote", { cls: "zibaldone-quote", text: citation.quote, attr: { dir: "auto" } });
  if (citation.supported) return;
  const remark = body.createDiv({ cls: "zibaldone-remark zibaldone-with-icon" });
  setIcon(remark.createSpan({ cls: "zibaldone-icon" }), "info");
  remark.createSpan({ text: say("answer.unverified") });
}

type Placed = Pick<Citation, "path" | "heading" | "line_start" | "page">;

/** The name of a note as a link to the line, with its folder and heading. */
export function showPlace(parent: HTMLElement, placed: Placed, context: LinkContext): void {
  const name = noteName(placed.path);
  const line = parent.createDiv({ cls: "zibaldone-place", attr: { dir: "auto" } });
  const link = line.createEl("a", { cls: "zibaldone-place-link", href: "#", text: name });
  linkTo(link, placeOf(placed), context);
  const headings = placed.heading[0] === name ? placed.heading.slice(1) : placed.heading;
  const trail = [folderOf(placed.path), ...headings].filter((part) => part !== "");
  if (trail.length > 0) line.createSpan({ cls: "zibaldone-trail", text: trail.join(" › ") });
}
