/** One concept, episode or the like: a heading that opens to the words of the notes that it rests on. */
import type { NodeEvidence } from "../../../shared-schemas/zibaldone";
import { leadTo, showPlace, type Passage } from "../chat/source/citations";
import { linkTo, type LinkContext } from "../place";
import { showInSteps } from "../steps";
import { say, sayDate } from "../words";
import { sourceOf } from "./told";

/** Quotes that are drawn at once. */
const QUOTES = 8;

export interface NodeContext extends LinkContext {
  /** Nodes of this list that stand open, by their ids; it outlives what is drawn. */
  readonly opened: Set<string>;
  /** The path of the note of a node, where there is one now. */
  noteOf(node: string): string | undefined;
}

export interface Shown {
  readonly node_id: string;
  readonly title: string;
  readonly evidence: readonly NodeEvidence[];
}

type Draw = (el: HTMLElement) => void;

/** `figure` draws what is always to be seen, `more` what else there is to say, above the evidence. */
export function showNode(
  list: HTMLElement,
  { node_id: id, title, evidence }: Shown,
  remark: string,
  context: NodeContext,
  { figure = () => {}, more = () => {} }: { figure?: Draw; more?: Draw } = {},
): HTMLElement {
  const row = list.createEl("li", { cls: "zibaldone-entry zibaldone-node", attr: { "data-node": id } });
  const details = row.createEl("details");
  const summary = details.createEl("summary");
  summary.createSpan({ cls: "zibaldone-node-title", text: title, attr: { dir: "auto" } });
  if (remark) summary.createSpan({ cls: "zibaldone-remark", text: remark });
  figure(summary);
  // Made when it is opened: most never are.
  const fill = (): void => {
    if (details.open) context.opened.add(id);
    else context.opened.delete(id);
    if (!details.open || details.childElementCount > 1) return;
    const body = details.createDiv({ cls: "zibaldone-node-body" });
    more(body);
    const note = context.noteOf(id);
    if (note !== undefined) {
      const line = body.createDiv();
      const link = line.createEl("a", { cls: "zibaldone-place-link", href: "#", text: say("vaultMemory.openNote") });
      linkTo(link, { path: note, line: 1, page: null }, context);
    }
    showEvidence(body, evidence, context);
  };
  context.owner.registerDomEvent(details, "toggle", fill);
  details.open = context.opened.has(id);
  fill();
  return row;
}

export function showEvidence(parent: HTMLElement, evidence: readonly NodeEvidence[], context: NodeContext): void {
  const list = parent.createEl("ul", { cls: "zibaldone-entries zibaldone-evidence" });
  showInSteps(parent, list, evidence, context.owner, (one) => showQuote(list, one, context), QUOTES);
}

function showQuote(list: HTMLElement, evidence: NodeEvidence, context: NodeContext): void {
  const item = list.createEl("li");
  item.createEl("blockquote", { cls: "zibaldone-quote", text: evidence.quote, attr: { dir: "auto" } });
  showPlace(item, sourceOf(evidence), passageOf(evidence), context);
  const place = item.find(".zibaldone-place");
  if (evidence.date !== null) place.createSpan({ cls: "zibaldone-trail", text: sayDate(evidence.date) });
}

/** To the words of an event. */
export function lead(el: HTMLElement, evidence: NodeEvidence, context: NodeContext): void {
  leadTo(el, sourceOf(evidence), passageOf(evidence), context);
}

function passageOf({ quote, event_id: id }: NodeEvidence): Passage {
  return { text: quote, id };
}
