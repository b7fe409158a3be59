/** Where the question is written: text, the note that it is limited to, and one button that asks or stops. */
import { Component, setIcon } from "obsidian";
import { excess, refuseFloods } from "../limit";
import { noteName } from "../place";
import { say, sayCount } from "../words";
import type { Conversation } from "./conversation";
import { sends } from "./keys";

export class Composer extends Component {
  private readonly input: HTMLTextAreaElement;
  private readonly button: HTMLButtonElement;
  private readonly context: HTMLElement;
  private readonly remark: HTMLElement;
  /** The note that the chip shows, and whether it said that it is gone. */
  private about: string | null = null;
  private gone = false;
  /** Characters of a paste that was refused last. */
  private refused = 0;

  constructor(
    parent: HTMLElement,
    private readonly conversation: Conversation,
    /** After a question was taken. */
    private readonly asked: () => void,
  ) {
    super();
    const el = parent.createDiv({ cls: "zibaldone-composer" });
    const box = el.createDiv({ cls: "zibaldone-input-box" });
    this.context = box.createDiv({ cls: "zibaldone-context" });
    const row = box.createDiv({ cls: "zibaldone-input-row" });
    const label = row.createEl("label", { cls: "zibaldone-input-label" });
    label.createSpan({ cls: "zibaldone-hidden", text: say("composer.label") });
    this.input = label.createEl("textarea", {
      cls: "zibaldone-input",
      attr: { rows: 1, dir: "auto", placeholder: say("composer.placeholder") },
    });
    this.input.value = conversation.draft;
    this.button = row.createEl("button", { cls: "clickable-icon zibaldone-send", attr: { type: "button" } });
    this.remark = el.createDiv({ cls: "zibaldone-composer-remark", attr: { role: "status" } });
    const flood = refuseFloods(this.input, (length) => {
      this.refused = length;
      this.update();
    });
    this.registerDomEvent(this.input, "beforeinput", flood);
    this.registerDomEvent(this.input, "input", () => this.keepDraft());
    this.registerDomEvent(this.input, "keydown", (event) => this.onKey(event));
    this.registerDomEvent(this.button, "click", () => this.onButton());
    this.update();
  }

  focus(): void {
    this.input.focus();
  }

  /** Puts the beginning of a question there, to be finished. */
  begin(text: string): void {
    this.input.value = text;
    this.keepDraft();
    this.focus();
    this.input.setSelectionRange(text.length, text.length);
  }

  /** Follows the conversation. */
  update(): void {
    if (this.input.value !== this.conversation.draft) this.input.value = this.conversation.draft;
    const { about, aboutGone } = this.conversation;
    if (this.about !== about || this.gone !== aboutGone) this.showContext(about, aboutGone);
    const stops = this.stops;
    const label = say(stops ? "composer.stop" : this.conversation.running ? "composer.queue" : "composer.send");
    if (this.button.getAttribute("aria-label") !== label) {
      this.button.setAttribute("aria-label", label);
      this.button.toggleClass("is-stop", stops);
      setIcon(this.button, stops ? "square" : "arrow-up");
    }
    this.button.disabled = !stops && !this.sendable;
    const remark = this.sayRemark();
    if (this.remark.textContent !== remark) this.remark.setText(remark);
  }

  private sayRemark(): string {
    if (this.refused > 0) return say("composer.notPasted", { count: this.refused });
    const over = excess(this.conversation.draft);
    if (over > 0) return sayCount("composer.tooLong", over);
    return this.conversation.full && !this.empty ? say("composer.full") : "";
  }

  private get sendable(): boolean {
    const { draft, full, aboutGone } = this.conversation;
    return !this.empty && !full && !aboutGone && excess(draft) === 0;
  }

  private get empty(): boolean {
    return this.conversation.draft.trim() === "";
  }

  /** The button stops what runs, unless something else was written meanwhile that can wait. */
  private get stops(): boolean {
    return this.conversation.running && !this.sendable;
  }

  private showContext(about: string | null, gone: boolean): void {
    this.about = about;
    this.gone = gone;
    this.context.empty();
    if (about === null) return;
    const chip = this.context.createDiv({ cls: "zibaldone-about" });
    chip.toggleClass("is-gone", gone);
    setIcon(chip.createSpan({ cls: "zibaldone-icon" }), gone ? "alert-triangle" : "file-text");
    const words = say(gone ? "composer.aboutGone" : "composer.about", { note: noteName(about) });
    chip.createSpan({ cls: "zibaldone-about-name", text: words });
    const remove = chip.createEl("button", {
      cls: gone ? "zibaldone-about-remove" : "clickable-icon zibaldone-about-remove",
      attr: { type: "button", "aria-label": say("composer.aboutRemove") },
    });
    if (gone) remove.setText(say("composer.askAll"));
    else setIcon(remove, "x");
    this.registerDomEvent(remove, "click", () => {
      this.conversation.about = null;
      this.focus();
    });
  }

  private keepDraft(): void {
    this.refused = 0;
    this.conversation.draft = this.input.value;
    this.update();
  }

  private onKey(event: KeyboardEvent): void {
    if (!sends(event)) return;
    event.preventDefault();
    this.send();
  }

  private onButton(): void {
    if (this.stops) this.conversation.stop();
    else this.send();
    this.focus();
  }

  private send(): void {
    const question = this.input.value;
    if (!this.sendable) return;
    this.conversation.draft = "";
    this.conversation.ask(question);
    this.update();
    this.asked();
  }
}
