/** What a message put into the memory, below it: the words, what they replaced, and the ways to put it right. */
import { Component, setIcon } from "obsidian";
import type { MemoryEntry } from "../../../shared-schemas/zibaldone";
import { asFailure } from "../failure";
import { showFailure, showHint } from "../hint";
import { entryPlace, TYPES, type MemoryType } from "../memory/entries";
import { addButton, type MemoryContext } from "../memory/row";
import { folderOf, linkTo } from "../place";
import { say } from "../words";
import type { Noted } from "./turn";

export interface NotedParts extends MemoryContext {
  /** What became of one of them. */
  settle(index: number, noted: Noted): void;
  /** For who does not see it. */
  announce(text: string): void;
}

export class NotedList extends Component {
  private readonly el: HTMLElement;
  private readonly rows: NotedRow[] = [];

  constructor(
    parent: HTMLElement,
    private readonly parts: NotedParts,
  ) {
    super();
    this.el = parent.createDiv({ cls: "zibaldone-noted-list" });
  }

  /** `watched`: who does not see it is told what is new. */
  update(all: readonly Noted[], watched: boolean): void {
    for (const [index, noted] of all.entries()) {
      const settle = (next: Noted) => this.parts.settle(index, next);
      (this.rows[index] ??= this.addChild(new NotedRow(this.el, this.parts, settle))).update(noted, watched);
    }
  }
}

class NotedRow extends Component {
  private readonly el: HTMLElement;
  private content = new Component();
  private shown: Noted | null = null;
  private said = "";

  constructor(
    parent: HTMLElement,
    private readonly parts: NotedParts,
    private readonly settle: (noted: Noted) => void,
  ) {
    super();
    this.el = parent.createDiv({ cls: "zibaldone-noted zibaldone-with-icon", attr: { tabindex: "-1" } });
  }

  update(noted: Noted, watched: boolean): void {
    if (noted === this.shown) return;
    this.shown = noted;
    const focused = this.el.contains(this.el.doc.activeElement);
    this.removeChild(this.content);
    this.content = this.addChild(new Component());
    this.el.empty();
    const { told, changes, undone, failure } = noted;
    this.el.toggleClass("is-quiet", told.already || undone);
    setIcon(this.el.createSpan({ cls: "zibaldone-icon" }), undone ? "rotate-ccw" : "bookmark");
    const body = this.el.createDiv({ cls: "zibaldone-noted-body" });
    const said = this.showWords(body, noted);
    if (!undone) {
      if (told.conflicts.length > 0) this.showConflicts(body, noted);
      if (told.reason) showHint(body.createDiv({ cls: "zibaldone-remark" }), told.reason, this.content);
      if (told.unsure) this.askType(body, noted);
      const buttons = body.createDiv({ cls: "zibaldone-small-buttons" });
      if (changes.length > 0) this.addAction(buttons, say("noted.undo"), noted, (now) => this.undo(now));
    }
    if (failure) {
      const box = body.createDiv({ cls: "zibaldone-failure", attr: { role: "alert" } });
      showFailure(box, failure, this.content);
    }
    if (focused) this.el.focus();
    if (watched && said !== this.said) this.parts.announce(said);
    this.said = said;
  }

  private showWords(body: HTMLElement, { told, undone }: Noted): string {
    const line = body.createDiv({ attr: { dir: "auto" } });
    line.appendText(say(undone ? "noted.undone" : told.already ? "noted.known" : "noted.new"));
    if (undone) line.appendText(told.entry.content);
    else this.addLink(line, told.entry, told.path);
    const what = told.retired.map((old) => old.content).join("; ");
    if (what !== "") line.appendText(` (${say(undone ? "noted.again" : "noted.instead", { what })})`);
    return line.textContent ?? "";
  }

  private showConflicts(body: HTMLElement, { told }: Noted): void {
    const line = body.createDiv({ cls: "zibaldone-remark", attr: { dir: "auto" }, text: say("noted.conflict") });
    for (const [index, other] of told.conflicts.entries()) {
      if (index > 0) line.appendText("; ");
      this.addLink(line, other, told.path);
    }
    line.appendText(`. ${say("noted.bothStay")}`);
  }

  private askType(body: HTMLElement, noted: Noted): void {
    const buttons = body.createDiv({ cls: "zibaldone-small-buttons" });
    buttons.createSpan({ cls: "zibaldone-remark", text: say("noted.which") });
    for (const type of TYPES) {
      const button = this.addAction(buttons, say(`noted.type.${type}`), noted, (now) => this.chooseType(now, type));
      button.setAttribute("aria-pressed", String(type === noted.told.entry.type));
    }
  }

  private async chooseType(noted: Noted, type: MemoryType): Promise<Noted> {
    const told = { ...noted.told, unsure: false };
    if (type === told.entry.type) return { ...noted, told };
    const client = await this.parts.connect();
    const { entry, path, change_id: change } = await client.editMemory(told.entry.id, { type });
    const changes = change === null ? noted.changes : [change, ...noted.changes];
    return { ...noted, told: { ...told, entry, path }, changes };
  }

  /** Change by change, so that what is taken back is known where another one cannot be. */
  private async undo(noted: Noted): Promise<Noted> {
    const client = await this.parts.connect();
    let now = noted;
    try {
      for (const change of noted.changes) {
        await client.undo(change);
        now = { ...now, changes: now.changes.slice(1) };
      }
    } catch (error) {
      return { ...now, failure: asFailure(error) };
    }
    return { ...now, undone: true };
  }

  private addAction(
    parent: HTMLElement,
    text: string,
    noted: Noted,
    action: (noted: Noted) => Promise<Noted>,
  ): HTMLElement {
    return addButton(parent, text, this.el, this.content, async () => {
      const failed = (error: unknown): Noted => ({ ...noted, failure: asFailure(error) });
      this.settle(await action({ ...noted, failure: null }).catch(failed));
    });
  }

  private addLink(parent: HTMLElement, entry: MemoryEntry, path: string): void {
    const link = parent.createEl("a", { cls: "zibaldone-place-link", href: "#", text: entry.content });
    linkTo(link, entryPlace(entry, folderOf(path)), { ...this.parts, owner: this.content });
  }
}
