/** Citations: a chip in the text for each marker, and the list of sources below it. */
import { setIcon } from "obsidian";
import type { Citation, Hit } from "../../../../shared-schemas/zibaldone";
import { folderOf, linkTo, onFollow, placeOf, type LinkContext } from "../../place";
import { say } from "../../words";
import { replaceMarkers } from "../dress";
import { CommitModal } from "./commit";
import { commitOf, iconOf, isSaid, nameOf, sayWhere, type Sourced } from "./kind";
import { SaidModal } from "./said";

/** Turns each "[n]" in `el` that has a citation into a chip that leads there. */
export function addChips(el: HTMLElement, { citations, hits }: Cited, context: LinkContext): void {
  replaceMarkers(el, (marker) => {
    const citation = citations.find((one) => one.marker === marker);
    return citation ? makeChip(citation, passageOf(citation, hits), context) : null;
  });
}

export interface Cited {
  readonly citations: readonly Citation[];
  readonly hits: readonly Hit[];
}

/** What a source was taken from; its `id` where it is known. */
export interface Passage {
  readonly text: string;
  readonly id: string | undefined;
}

/** No aria-label here: Obsidian would show it as a tooltip over the page preview. */
function makeChip(citation: Citation, passage: Passage, context: LinkContext): HTMLElement {
  const chip = createEl("a", { cls: "zibaldone-chip", href: "#" });
  chip.toggleClass("is-unsupported", !citation.supported);
  chip.createSpan({ text: String(citation.marker) });
  const place = [isSaid(citation) ? nameOf(citation) : citation.path, sayWhere(citation)]
    .filter((part) => part !== "")
    .join(", ");
  const words = [say("answer.source", { marker: citation.marker, place })];
  if (!citation.supported) words.push(say("answer.unverified"));
  chip.createSpan({ cls: "zibaldone-hidden", text: words.join(". ") });
  leadTo(chip, citation, passage, context);
  return chip;
}

export function showSources(parent: HTMLElement, { citations, hits }: Cited, context: LinkContext): void {
  parent.createDiv({ cls: "zibaldone-heading", text: say("answer.sources") });
  const list = parent.createEl("ol", { cls: "zibaldone-sources" });
  for (const citation of citations) showSource(list, citation, passageOf(citation, hits), context);
}

function showSource(list: HTMLElement, citation: Citation, passage: Passage, context: LinkContext): void {
  const item = list.createEl("li", { cls: "zibaldone-source" });
  item.createSpan({ cls: "zibaldone-marker", text: String(citation.marker) });
  const body = item.createDiv({ cls: "zibaldone-source-body" });
  showPlace(body, citation, passage, context);
  body.createEl("blockquote", { cls: "zibaldone-quote", text: citation.quote, attr: { dir: "auto" } });
  if (citation.supported) return;
  const remark = body.createDiv({ cls: "zibaldone-remark zibaldone-with-icon" });
  setIcon(remark.createSpan({ cls: "zibaldone-icon" }), "info");
  remark.createSpan({ text: say("answer.unverified") });
}

/** The name of a note as a link to the line, with its folder and heading. */
export function showPlace(parent: HTMLElement, source: Sourced, passage: Passage, context: LinkContext): void {
  const name = nameOf(source);
  const line = parent.createDiv({ cls: "zibaldone-place", attr: { dir: "auto" } });
  if (source.modality !== "text" || source.commit !== null || isSaid(source))
    setIcon(line.createSpan({ cls: "zibaldone-icon zibaldone-kind" }), iconOf(source));
  const link = line.createEl("a", { cls: "zibaldone-place-link", href: "#", text: name });
  leadTo(link, source, passage, context);
  const headings = source.heading[0] === name ? source.heading.slice(1) : source.heading;
  const where = source.modality === "text" && source.commit === null ? "" : sayWhere(source);
  const folder = isSaid(source) ? "" : folderOf(source.path);
  const trail = [folder, ...headings, where].filter((part) => part !== "");
  if (trail.length > 0) line.createSpan({ cls: "zibaldone-trail", text: trail.join(" › ") });
}

/** To the file; what is only in git, or in a conversation, is shown in a dialog. */
export function leadTo(el: HTMLElement, source: Sourced, { text, id }: Passage, context: LinkContext): void {
  if (id !== undefined) onFollow(el, context.owner, () => context.touched?.(id));
  if (isSaid(source)) onFollow(el, context.owner, () => new SaidModal(context.app, text).open());
  else if (commitOf(source)) onFollow(el, context.owner, () => new CommitModal(context.app, source, text).open());
  else linkTo(el, placeOf(source), context);
}

/** The passage that a quote was taken from, as far as it was kept. */
function passageOf(citation: Citation, hits: readonly Hit[]): Passage {
  const hit = hits.find(({ source_uri: uri, locator }) => uri === citation.source_uri && locator === citation.locator);
  return { text: hit && hit.text.length > citation.quote.length ? hit.text : citation.quote, id: hit?.chunk_id };
}

/** The ids of the passages that an answer cites, each once. */
export function citedPassages({ citations, hits }: Cited): string[] {
  const ids = citations.map((citation) => passageOf(citation, hits).id);
  return [...new Set(ids.filter((id) => id !== undefined))];
}
