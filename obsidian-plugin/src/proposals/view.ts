/** Changes of the person's notes that wait for a yes or no, hunk by hunk, by keyboard or mouse. */
import { Notice, type Component, type WorkspaceLeaf } from "obsidian";
import type { Decided, Proposal, ProposedFile, ProposedHunk } from "../../../shared-schemas/zibaldone";
import { asFailure, sayFailure } from "../failure";
import { addButton } from "../memory/row";
import { linkTo, openPlace } from "../place";
import type { SidecarClient } from "../sidecar/client";
import { showEmpty, SidecarView, type ViewParts } from "../sidecar-view";
import { tellUndoable } from "../note/undo";
import { say, sayCount, sayWhen } from "../words";
import type { Desk, Part } from "./desk";
import { HunkRow } from "./hunk";

export const PROPOSALS_VIEW = "zibaldone-proposals";
/** Hunks of a file that are drawn at once. */
const MOST_HUNKS = 100;
/** Proposals that are looked into at once. */
const MOST_PROPOSALS = 20;

export class ProposalsView extends SidecarView<Proposal[]> {
  override icon = "git-pull-request-arrow";
  private told: Notice | null = null;

  constructor(
    leaf: WorkspaceLeaf,
    parts: ViewParts,
    private readonly desk: Desk,
  ) {
    super(leaf, parts);
  }

  override getViewType(): string {
    return PROPOSALS_VIEW;
  }

  override getDisplayText(): string {
    return say("proposals.title");
  }

  protected override prepare(bar: HTMLElement): void {
    this.addButton(bar, "refresh-cw", say("status.refresh"), () => void this.refresh());
  }

  protected override focus(): void {
    this.rows()[0]?.focus();
  }

  protected override async ask(client: SidecarClient, signal: AbortSignal): Promise<Proposal[]> {
    const { proposals } = await client.proposals(signal);
    return Promise.all(proposals.slice(0, MOST_PROPOSALS).map(({ id }) => client.proposal(id, signal)));
  }

  protected override show(el: HTMLElement, proposals: Proposal[], owner: Component): void {
    if (proposals.length === 0) return showEmpty(el, say("proposals.none"), say("proposals.detail"));
    el.createDiv({ cls: "zibaldone-remark zibaldone-keys", text: say("proposals.keys") });
    for (const proposal of proposals) this.showProposal(el, proposal, owner);
  }

  private showProposal(parent: HTMLElement, proposal: Proposal, owner: Component): void {
    const el = parent.createEl("section", { cls: "zibaldone-proposal" });
    el.createEl("h3", { cls: "zibaldone-proposal-title", text: proposal.title, attr: { dir: "auto" } });
    const about = `${proposal.reason} ${sayWhen(proposal.at)}`.trim();
    el.createDiv({ cls: "zibaldone-remark", text: about, attr: { dir: "auto" } });
    const row = el.createDiv({ cls: "zibaldone-buttons" });
    addButton(row, say("proposals.approveAll"), row, owner, () => this.approve(proposal.id)).addClass("mod-cta");
    addButton(row, say("proposals.rejectAll"), row, owner, () => this.reject(proposal.id));
    for (const file of proposal.files) this.showFile(el, proposal, file, owner);
  }

  private showFile(parent: HTMLElement, { id }: Proposal, file: ProposedFile, owner: Component): void {
    const head = parent.createDiv({ cls: "zibaldone-file", attr: { dir: "auto" } });
    if (file.base_sha256 === null) head.appendText(file.path);
    else {
      const link = head.createEl("a", { cls: "zibaldone-place-link", href: "#", text: file.path });
      linkTo(link, { path: file.path, line: file.hunks[0]?.old_line ?? 1, page: null }, this.link(owner));
    }
    const state = file.removes ? "removes" : file.base_sha256 === null ? "makes" : file.state;
    if (state !== "ready")
      head.createSpan({ cls: `zibaldone-flag is-${state}`, text: say(`proposals.state.${state}`) });
    const list = parent.createDiv();
    const draw = (hunks: readonly ProposedHunk[]): void => {
      for (const hunk of hunks) this.showHunk(list, id, file, hunk, owner);
    };
    draw(file.hunks.slice(0, MOST_HUNKS));
    const more = file.hunks.slice(MOST_HUNKS);
    if (more.length === 0) return;
    const button = addButton(parent, sayCount("proposals.moreHunks", more.length), parent, owner, async () => {
      draw(more);
      button.remove();
    });
  }

  private showHunk(parent: HTMLElement, id: number, file: ProposedFile, hunk: ProposedHunk, owner: Component): void {
    const part = { path: file.path, hunk };
    const row: HunkRow = owner.addChild(
      new HunkRow(parent, hunk, {
        approve: () => this.approve(id, part, row.el),
        reject: () => this.reject(id, part, row.el),
        edit: async (text) => {
          await this.tell(() => this.desk.edit(id, file.path, hunk, text).then(() => null));
        },
        open: (event) => void openPlace(this.app, { path: file.path, line: hunk.old_line, page: null }, event),
        move: (step) => this.move(row.el, step),
      }),
    );
  }

  private async approve(id: number, part: Part = {}, row?: HTMLElement): Promise<void> {
    await this.tell(() => this.desk.approve(id, part), row);
  }

  private async reject(id: number, part: Part = {}, row?: HTMLElement): Promise<void> {
    await this.tell(() => this.desk.reject(id, part), row);
  }

  /** Decides, says what came of it, and shows what is left, with the focus on what came after. */
  private async tell(decide: () => Promise<Decided | null>, row?: HTMLElement): Promise<void> {
    const focused = row ? this.rows().indexOf(row) : -1;
    try {
      const decided = await decide();
      // One notice, of the last of many.
      if (decided?.change) this.told?.hide();
      if (decided?.change)
        this.told = tellUndoable(say("proposals.applied"), decided.change, () => this.parts.connect(), this);
    } catch (error) {
      new Notice(sayFailure(asFailure(error)), 0);
    }
    const held = this.contentEl.contains(this.contentEl.doc.activeElement);
    await this.refresh();
    if (!held || focused < 0) return;
    const rows = this.rows();
    rows[Math.min(focused, rows.length - 1)]?.focus();
  }

  private rows(): HTMLElement[] {
    return this.contentEl.findAll(".zibaldone-hunk");
  }

  private move(from: HTMLElement, step: 1 | -1): void {
    const rows = this.rows();
    rows[rows.indexOf(from) + step]?.focus();
  }
}
