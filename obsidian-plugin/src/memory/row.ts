/** One entry of the memory: its words as a link to its line, what is known of it, and what can be done with it. */
import { Component } from "obsidian";
import type { EditMemoryRequest, Forgotten, MemoryEntry } from "../../../shared-schemas/zibaldone";
import { asFailure } from "../failure";
import { showFailure } from "../hint";
import { tellUndoable } from "../note/undo";
import { linkTo, withoutExtension, type LinkContext } from "../place";
import type { SidecarClient } from "../sidecar/client";
import { say } from "../words";
import { entryPlace, sayMarks, saySource, TYPES } from "./entries";
import { showHistory } from "./history";

export interface MemoryContext extends Omit<LinkContext, "owner"> {
  connect(): Promise<SidecarClient>;
  /** Another entry, where all are at hand. */
  find?(id: string): MemoryEntry | undefined;
  /** More than this entry may be different now. */
  changed?(): void;
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
      this.addButton(buttons, label, () => this.change({ pinned: !entry.pinned }));
    }
    if (entry.state === "active") this.addButton(buttons, say("memory.edit"), async () => this.edit());
    if (this.parts.find) this.addButton(buttons, say("memory.history.show"), () => this.showHistory());
    this.addButton(buttons, say("memory.forget"), async () => this.ask());
    this.showConflicts();
  }

  private sayAbout(): string {
    const { entry, parts } = this;
    const marks = sayMarks(entry, Date.now());
    if (!parts.find || entry.sources.length === 0) return marks;
    return `${marks} · ${say("memory.from", { sources: entry.sources.map(saySource).join(", ") })}`;
  }

  /** What it does not go together with, and a way to settle it. */
  private showConflicts(): void {
    for (const other of this.entry.conflicts_with.flatMap((id) => this.parts.find?.(id) ?? [])) {
      const box = this.el.createDiv({ cls: "zibaldone-conflict" });
      box.createDiv({
        cls: "zibaldone-remark",
        text: say("memory.against", { what: other.content }),
        attr: { dir: "auto" },
      });
      this.addButton(box, say("memory.keepThis"), () => this.keep(other));
    }
  }

  private async keep(other: MemoryEntry): Promise<void> {
    const client = await this.parts.connect();
    const kept = await client.keepMemory(this.entry.id, [other.id]);
    this.entry = kept.entry;
    this.show();
    const { change_id: change } = kept;
    if (change !== null) tellUndoable(say("memory.kept"), change, () => this.parts.connect(), this);
    this.parts.changed?.();
  }

  /** Its words and its type, in a form in its place. */
  private edit(): void {
    this.clear();
    const { entry } = this;
    const form = this.el.createEl("form", { cls: "zibaldone-entry-form" });
    const field = form.createEl("textarea", { attr: { "aria-label": say("memory.words"), dir: "auto", rows: "3" } });
    field.value = entry.content;
    const type = form.createEl("select", { cls: "dropdown", attr: { "aria-label": say("noted.which") } });
    for (const name of TYPES) type.createEl("option", { value: name, text: say(`noted.type.${name}`) });
    type.value = entry.type;
    const save = () => this.change({ content: field.value.trim(), type: type.value as MemoryEntry["type"] });
    const row = form.createDiv({ cls: "zibaldone-small-buttons" });
    this.addButton(row, say("memory.save"), save).addClass("mod-cta");
    this.addButton(row, say("memory.cancel"), async () => this.show());
    this.content.registerDomEvent(form, "keydown", (event) => {
      if (event.isComposing) return;
      if (event.key === "Escape") this.show();
      else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) row.find("button").click();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    field.focus();
  }

  private async showHistory(): Promise<void> {
    const { events } = await (await this.parts.connect()).memoryHistory(this.entry.id);
    this.show();
    const box = this.el.createDiv({ cls: "zibaldone-entry-history" });
    showHistory(box, events);
  }

  /** What forgetting means, before it is done. */
  private ask(): void {
    const buttons = this.begin(say("memory.forgetting"));
    this.addButton(buttons, say("memory.forgetNow"), () => this.forget()).addClass("mod-warning");
    this.addButton(buttons, say("memory.keep"), async () => this.show());
    buttons.find("button:last-child").focus();
  }

  private async change(values: EditMemoryRequest): Promise<void> {
    const client = await this.parts.connect();
    const { type } = this.entry;
    this.entry = (await client.editMemory(this.entry.id, values)).entry;
    this.show();
    if (this.entry.type !== type) this.parts.changed?.();
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
    row.createSpan({ cls: "zibaldone-remark", text: remark || this.sayAbout() });
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
