/** Links that stand in the text of an answer: to notes that exist, and to web pages. Anything else does nothing. */
import { Keymap, Notice } from "obsidian";
import { HOVER_SOURCE, type LinkContext } from "../place";
import { say } from "../words";

export function watchLinks(el: HTMLElement, context: LinkContext): void {
  const follow = (event: MouseEvent): void => {
    const link = linkAt(event);
    if (!link || /^https?:/i.test(link.getAttribute("href") ?? "")) return;
    event.preventDefault();
    if (link.hasClass("internal-link")) openNote(link, event, context);
  };
  context.owner.registerDomEvent(el, "click", follow);
  context.owner.registerDomEvent(el, "auxclick", (event) => {
    if (event.button === 1) follow(event);
  });
  context.owner.registerDomEvent(el, "mouseover", (event) => {
    const link = linkAt(event);
    if (!link?.hasClass("internal-link")) return;
    const { app, hoverParent } = context;
    const linktext = linkTextOf(link);
    app.workspace.trigger("hover-link", { event, source: HOVER_SOURCE, hoverParent, targetEl: link, linktext });
  });
}

/** Opens a note that is there; Obsidian's own way would make one that is not, and nothing that a model wrote may. */
function openNote(link: HTMLElement, event: MouseEvent, { app }: LinkContext): void {
  const linktext = linkTextOf(link);
  const file = app.metadataCache.getFirstLinkpathDest(linktext.split("#")[0] ?? "", "");
  if (!file) new Notice(say("place.noNote", { link: linktext }));
  else void app.workspace.openLinkText(linktext, "", Keymap.isModEvent(event));
}

function linkTextOf(link: HTMLElement): string {
  return link.dataset.href ?? link.getAttribute("href") ?? "";
}

function linkAt(event: MouseEvent): HTMLElement | null {
  const link = event.targetNode?.instanceOf(Element) ? event.targetNode.closest<HTMLElement>("a") : null;
  return link?.hasClass("zibaldone-chip") || link?.hasClass("zibaldone-place-link") ? null : link;
}
