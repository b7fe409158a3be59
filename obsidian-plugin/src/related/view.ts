/** Notes near to the one that is open, by vectors that are there already. It follows the active note. */
import { debounce, type Component, type TFile, type WorkspaceLeaf } from "obsidian";
import type { RelatedNotes } from "../../../shared-schemas/zibaldone";
import { folderOf, linkTo, noteName } from "../place";
import type { SidecarClient } from "../sidecar/client";
import { showEmpty, SidecarView, type ViewParts } from "../sidecar-view";
import { say, sayShare } from "../words";

export const RELATED_VIEW = "zibaldone-related";
const MOST_NOTES = 15;
/** Going through notes by the arrow keys asks once, for the one where it ends. */
const PAUSE_MS = 150;

interface Found extends RelatedNotes {
  readonly path: string;
}

export class RelatedView extends SidecarView<Found | null> {
  override icon = "waypoints";
  private file: TFile | null = null;

  constructor(
    leaf: WorkspaceLeaf,
    parts: ViewParts,
    /** Calls back when the index may know more. */
    private readonly indexed: (listener: () => void) => () => void,
  ) {
    super(leaf, parts);
  }

  override getViewType(): string {
    return RELATED_VIEW;
  }

  override getDisplayText(): string {
    return say("related.title");
  }

  protected override async onOpen(): Promise<void> {
    this.file = this.app.workspace.getActiveFile();
    const soon = debounce(() => void this.refresh(), PAUSE_MS, true);
    this.register(() => soon.cancel());
    this.registerEvent(
      this.app.workspace.on("file-open", (file) => {
        // A pane that takes the focus has no file: what was followed stays.
        if (!file || file === this.file) return;
        this.file = file;
        soon();
      }),
    );
    this.registerEvent(this.app.vault.on("rename", (file) => file === this.file && soon()));
    this.register(this.indexed(soon));
    await super.onOpen();
  }

  protected override async ask(client: SidecarClient, signal: AbortSignal): Promise<Found | null> {
    const { file } = this;
    if (file?.extension !== "md") return null;
    return { path: file.path, ...(await client.related(file.path, MOST_NOTES, signal)) };
  }

  protected override show(el: HTMLElement, found: Found | null, owner: Component): void {
    if (!found) return showEmpty(el, say("related.noNote"));
    el.createDiv({
      cls: "zibaldone-remark",
      text: say("related.of", { note: noteName(found.path) }),
      attr: { dir: "auto" },
    });
    if (found.waiting) return showEmpty(el, say("related.waiting"));
    if (found.notes.length === 0) return showEmpty(el, say("related.none"));
    const list = el.createEl("ul", { cls: "zibaldone-entries" });
    for (const note of found.notes) {
      const row = list.createEl("li", { cls: "zibaldone-entry zibaldone-related" });
      const head = row.createDiv({ cls: "zibaldone-related-head", attr: { dir: "auto" } });
      const link = head.createEl("a", { cls: "zibaldone-place-link", href: "#", text: noteName(note.path) });
      linkTo(link, { path: note.path, line: note.line_start, page: null }, this.link(owner));
      head.createSpan({ cls: "zibaldone-trail", text: folderOf(note.path) });
      const near = sayShare(Math.max(0, note.cosine));
      head.createSpan({ cls: "zibaldone-score", text: near, attr: { "aria-label": say("related.near", { near }) } });
      row.createDiv({ cls: "zibaldone-remark zibaldone-snippet", text: note.text, attr: { dir: "auto" } });
    }
  }
}
