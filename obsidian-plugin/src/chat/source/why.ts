/** "Why these passages": what was found for a question, in its order, with what each leg of the search gave it. */
import type { Answer, Hit } from "../../../../shared-schemas/zibaldone";
import type { LinkContext } from "../../place";
import { sayWhy } from "../../search/why";
import { say, sayCount } from "../../words";
import { showPlace } from "./citations";

export function showWhy(parent: HTMLElement, answer: Answer, context: LinkContext): void {
  const details = parent.createEl("details", { cls: "zibaldone-details zibaldone-why-passages" });
  details.createEl("summary", { text: say("why.title") });
  // Made when it is opened: most never are.
  context.owner.registerDomEvent(details, "toggle", () => {
    if (details.open && details.childElementCount === 1) showHits(details, answer, context);
  });
}

function showHits(parent: HTMLElement, { hits, citations, searched_as: searched }: Answer, context: LinkContext): void {
  if (searched !== null) parent.createDiv({ text: say("why.searched", { words: searched }), attr: { dir: "auto" } });
  parent.createDiv({ text: sayCount("why.found", hits.length) });
  const list = parent.createEl("ol", { cls: "zibaldone-sources" });
  for (const hit of hits) {
    const body = list.createEl("li", { cls: "zibaldone-source" }).createDiv({ cls: "zibaldone-source-body" });
    showPlace(body, hit, { text: hit.text, id: hit.chunk_id }, context);
    const cited = citations.some((one) => isWithin(one, hit)) ? say("why.cited") : "";
    const parts = [cited, sayWhy(hit)].filter((part) => part !== "");
    body.createDiv({ cls: "zibaldone-remark", text: parts.join(" · ") });
  }
}

function isWithin(citation: Answer["citations"][number], hit: Hit): boolean {
  if (citation.source_uri !== hit.source_uri) return false;
  if (citation.modality !== "text") return citation.locator === hit.locator;
  return citation.line_start >= hit.line_start && citation.line_end <= hit.line_end;
}
