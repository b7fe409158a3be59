/** One entry of the memory: its words as a link to its line, what is known of it, and what can be done with it. */
import { Component } from "obsidian";
import type { Forgotten, MemoryEntry } from "../../../shared-schemas/zibaldone";
import { asFailure } from "../failure";
import { showFailure } from "../hint";
import { linkTo, withoutExtension, type LinkContext } from "../place";
import type { SidecarClient } from "../sidecar/client";
import { say } from "../words";
import { entryPlace, sayMarks } from "./entries";

export interface MemoryContext extends Omit<LinkContext, "owner"> {
  connect(): Promise<SidecarClient>;
}

export class EntryRow extends Component {
  readonly el: HTMLElement;
  private content = new Component();

  constructor(
    parent: HTMLElement,
    private entry: MemoryEntry,
    private readonly folder: string,
    private readonly parts: MemoryContext,
  ) {
    super();
    this.el = parent.createEl("li", { cls: "zibaldone-entry", attr: { tabindex: "-1" } });
    this.show();
    this.register(() => this.el.remove());
  }

  private show(): void {
    const { entry } = this;
    const buttons = this.begin();
    if (entry.type === "context" && entry.state === "active") {
      const label = say(entry.pinned ? "memory.unpin" : "memory.pin");
      this.addButton(buttons, label, () => this.pin(!entry.pinned));
    }
    this.addButton(buttons, say("memory.forget"), async () => this.ask());
  }

  /** What forgetting means, before it is done. */
  private ask(): void {
    const buttons = this.begin(say("memory.forgetting"));
    this.addButton(buttons, say("memory.forgetNow"), () => this.forget()).addClass("mod-warning");
    this.addButton(buttons, say("memory.keep"), async () => this.show());
    buttons.find("button:last-child").focus();
  }

  private async pin(pinned: boolean): Promise<void> {
    const client = await this.parts.connect();
    this.entry = (await client.editMemory(this.entry.id, { pinned })).entry;
    this.show();
  }

  private async forget(): Promise<void> {
    const client = await this.parts.connect();
    const forgotten = await client.forgetMemory([this.entry.id]);
    this.clear();
    this.showForgotten(forgotten);
  }

  private showForgotten({ history, notes }: Forgotten): void {
    const said = this.el.createDiv({ cls: "zibaldone-remark", attr: { role: "status" } });
    said.createDiv({ text: say("memory.forgotten") });
    if (history.length > 0) said.createDiv({ text: say("memory.history", { commits: history.join("; ") }) });
    if (notes.length === 0) return;
    const list = said.createDiv({ text: say("memory.notes") });
    for (const path of notes) {
      const link = list.createEl("a", { cls: "zibaldone-place-link", href: "#", text: withoutExtension(path) });
      linkTo(link, { path, line: 1, page: null }, { ...this.parts, owner: this.content });
      list.appendText(" ");
    }
  }

  /** The entry, a remark below it, and where its buttons go. */
  private begin(remark = ""): HTMLElement {
    this.clear();
    const { entry, folder, parts } = this;
    const line = this.el.createDiv({ attr: { dir: "auto" } });
    const link = line.createEl("a", { cls: "zibaldone-place-link", href: "#", text: entry.content });
    linkTo(link, entryPlace(entry, folder), { ...parts, owner: this.content });
    const row = this.el.createDiv({ cls: "zibaldone-entry-row" });
    row.createSpan({ cls: "zibaldone-remark", text: remark || sayMarks(entry, Date.now()) });
    return row.createDiv({ cls: "zibaldone-small-buttons" });
  }

  private clear(): void {
    const focused = this.el.contains(this.el.doc.activeElement);
    this.removeChild(this.content);
    this.content = this.addChild(new Component());
    this.el.empty();
    if (focused) this.el.focus();
  }

  private addButton(parent: HTMLElement, text: string, action: () => Promise<void>): HTMLElement {
    return addButton(parent, text, this.el, this.content, async () => {
      await action().catch((error: unknown) => {
        this.show();
        showFailure(this.el.createDiv({ cls: "zibaldone-failure" }), asFailure(error), this.content);
      });
    });
  }
}

/** A small button; while one within `row` works, all of them do nothing (and, not disabled, they keep the focus). */
export function addButton(
  parent: HTMLElement,
  text: string,
  row: HTMLElement,
  owner: Component,
  action: () => Promise<void>,
): HTMLElement {
  const button = parent.createEl("button", { cls: "zibaldone-small", text, attr: { type: "button" } });
  owner.registerDomEvent(button, "click", () => {
    if (row.hasClass("is-busy")) return;
    row.addClass("is-busy");
    void action().finally(() => row.removeClass("is-busy"));
  });
  return button;
}
