/** One hunk: its lines as they are and as they would be, and a field in which these can be changed. */
import { Component } from "obsidian";
import type { ProposedHunk } from "../../../shared-schemas/zibaldone";
import { diffWords, showPieces } from "../diff";
import { addButton } from "../memory/row";
import { say, sayCount } from "../words";

/** Lines of a side that are shown at once. */
const MOST_LINES = 40;

export interface HunkActions {
  approve(): Promise<void>;
  reject(): Promise<void>;
  edit(text: string): Promise<void>;
  open(event: KeyboardEvent): void;
  move(step: 1 | -1): void;
}

export class HunkRow extends Component {
  readonly el: HTMLElement;
  private content = new Component();

  constructor(
    parent: HTMLElement,
    private readonly hunk: ProposedHunk,
    private readonly actions: HunkActions,
  ) {
    super();
    const label = say("proposals.hunk", { line: hunk.old_line });
    this.el = parent.createDiv({ cls: "zibaldone-hunk", attr: { tabindex: "0", role: "group", "aria-label": label } });
    this.registerDomEvent(this.el, "keydown", (event) => this.onKey(event));
    this.show();
  }

  private show(): void {
    const { hunk, actions } = this;
    this.clear();
    this.el.createDiv({ cls: "zibaldone-remark", text: say("proposals.line", { line: hunk.old_line }) });
    const pieces = diffWords(hunk.old, hunk.new);
    if (hunk.old !== "") this.showSide("gone", hunk.old, pieces);
    if (hunk.new !== "") this.showSide("new", hunk.new, pieces);
    const row = this.el.createDiv({ cls: "zibaldone-small-buttons" });
    addButton(row, say("proposals.approve"), this.el, this.content, () => actions.approve()).addClass("mod-cta");
    addButton(row, say("proposals.reject"), this.el, this.content, () => actions.reject());
    addButton(row, say("proposals.edit"), this.el, this.content, async () => this.edit());
  }

  private showSide(side: "gone" | "new", text: string, pieces: ReturnType<typeof diffWords>): void {
    const lines = text.replace(/\n$/, "").split("\n");
    const el = this.el.createEl("pre", { cls: `zibaldone-diff is-${side}`, attr: { dir: "auto" } });
    if (lines.length <= MOST_LINES) return showPieces(el, pieces, side);
    el.setText(lines.slice(0, MOST_LINES).join("\n"));
    const more = this.el.createEl("button", {
      cls: "zibaldone-small",
      text: sayCount("proposals.moreLines", lines.length - MOST_LINES),
      attr: { type: "button" },
    });
    this.content.registerDomEvent(more, "click", () => {
      el.empty();
      showPieces(el, pieces, side);
      more.remove();
      this.el.focus();
    });
  }

  private edit(): void {
    this.clear();
    const label = say("proposals.editing");
    const field = this.el.createEl("textarea", {
      cls: "zibaldone-hunk-field",
      attr: { "aria-label": label, dir: "auto" },
    });
    field.value = this.hunk.new;
    const row = this.el.createDiv({ cls: "zibaldone-small-buttons" });
    const save = async (): Promise<void> => this.actions.edit(field.value);
    const cancel = (): void => {
      this.show();
      this.el.focus();
    };
    addButton(row, say("proposals.save"), this.el, this.content, save).addClass("mod-cta");
    addButton(row, say("proposals.cancel"), this.el, this.content, async () => cancel());
    this.content.registerDomEvent(field, "keydown", (event) => {
      event.stopPropagation();
      if (event.isComposing) return;
      if (event.key === "Escape") cancel();
      else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save();
      else return;
      event.preventDefault();
    });
    field.focus();
  }

  private onKey(event: KeyboardEvent): void {
    if (event.target !== this.el || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.el.hasClass("is-busy")) return;
    const { actions } = this;
    const keys: Record<string, () => void> = {
      a: () => void this.busy(actions.approve()),
      r: () => void this.busy(actions.reject()),
      e: () => this.edit(),
      j: () => actions.move(1),
      k: () => actions.move(-1),
      ArrowDown: () => actions.move(1),
      ArrowUp: () => actions.move(-1),
      Enter: () => actions.open(event),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  private async busy(work: Promise<void>): Promise<void> {
    this.el.addClass("is-busy");
    await work.finally(() => this.el.removeClass("is-busy"));
  }

  private clear(): void {
    this.removeChild(this.content);
    this.content = this.addChild(new Component());
    this.el.empty();
  }
}
