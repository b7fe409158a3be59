/** Where the question is written: text, what it is limited to, and one button that asks or stops. */
import { Component, setIcon, type App } from "obsidian";
import { excess, refuseFloods } from "../limit";
import { say, sayCount } from "../words";
import { Chips } from "./chips";
import type { Conversation } from "./conversation";
import { isComposing, sends } from "./keys";
import { findCommands, type CommandName, type SlashCommand } from "./suggest/commands";
import { Mentions, type Mention } from "./suggest/mentions";
import { Popup } from "./suggest/popup";
import { findTrigger, finishTrigger, type Trigger } from "./suggest/trigger";

export interface ComposerActions {
  /** After a question was taken. */
  asked(): void;
  /** One of the commands behind a slash. */
  run(name: CommandName): void;
}

export class Composer extends Component {
  private readonly input: HTMLTextAreaElement;
  private readonly button: HTMLButtonElement;
  private readonly chips: Chips;
  private readonly remark: HTMLElement;
  private readonly popup: Popup<Mention | SlashCommand>;
  /** What the list is about, while it is open. */
  private trigger: Trigger | null = null;
  private mentions: Mentions | null = null;
  /** Characters of a paste that was refused last. */
  private refused = 0;

  constructor(
    parent: HTMLElement,
    private readonly app: App,
    private readonly conversation: Conversation,
    private readonly actions: ComposerActions,
  ) {
    super();
    const el = parent.createDiv({ cls: "zibaldone-composer" });
    const box = el.createDiv({ cls: "zibaldone-input-box" });
    this.chips = this.addChild(new Chips(box, conversation.limits, () => this.focus()));
    const row = box.createDiv({ cls: "zibaldone-input-row" });
    const mention = row.createEl("button", {
      cls: "clickable-icon zibaldone-mention",
      attr: { type: "button", "aria-label": say("composer.mention") },
    });
    setIcon(mention, "at-sign");
    const label = row.createEl("label", { cls: "zibaldone-input-label" });
    label.createSpan({ cls: "zibaldone-hidden", text: say("composer.label") });
    this.input = label.createEl("textarea", {
      cls: "zibaldone-input",
      attr: { rows: 1, dir: "auto", placeholder: say("composer.placeholder") },
    });
    this.input.value = conversation.draft;
    this.button = row.createEl("button", { cls: "clickable-icon zibaldone-send", attr: { type: "button" } });
    this.popup = new Popup(el, this.input, this, (item) => this.choose(item));
    this.remark = el.createDiv({ cls: "zibaldone-composer-remark", attr: { role: "status" } });
    const flood = refuseFloods(this.input, (length) => {
      this.refused = length;
      this.update();
    });
    this.registerDomEvent(this.input, "beforeinput", flood);
    this.registerDomEvent(this.input, "input", () => {
      this.keepDraft();
      this.suggest();
    });
    this.registerDomEvent(this.input, "click", () => this.suggest());
    this.registerDomEvent(this.input, "keydown", (event) => this.onKey(event));
    this.registerDomEvent(this.button, "click", () => this.onButton());
    this.registerDomEvent(mention, "click", () => this.startMention());
    this.update();
  }

  focus(): void {
    this.input.focus();
  }

  /** Puts the beginning of a question there, to be finished. */
  begin(text: string): void {
    this.write(text, text.length);
    this.focus();
  }

  /** Follows the conversation. */
  update(): void {
    if (this.input.value !== this.conversation.draft) this.input.value = this.conversation.draft;
    this.chips.update();
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
    const { draft, full, limits } = this.conversation;
    return !this.empty && !full && !limits.broken && excess(draft) === 0;
  }

  private get empty(): boolean {
    return this.conversation.draft.trim() === "";
  }

  /** The button stops what runs, unless something else was written meanwhile that can wait. */
  private get stops(): boolean {
    return this.conversation.running && !this.sendable;
  }

  private write(text: string, cursor: number): void {
    this.input.value = text;
    this.keepDraft();
    this.input.setSelectionRange(cursor, cursor);
  }

  private keepDraft(): void {
    this.refused = 0;
    this.conversation.draft = this.input.value;
    this.update();
  }

  /** Offers what would finish the word before the cursor. */
  private suggest(): void {
    const { value, selectionStart: cursor, selectionEnd } = this.input;
    this.trigger = cursor === selectionEnd ? findTrigger(value, cursor) : null;
    if (this.trigger?.kind === "command") this.popup.show(findCommands(this.trigger.query));
    else if (this.trigger) this.popup.show((this.mentions ??= new Mentions(this.app)).find(this.trigger.query));
    else this.popup.show([]);
    if (this.trigger?.kind !== "mention") this.mentions = null;
  }

  private startMention(): void {
    const { value, selectionStart: cursor } = this.input;
    const before = value.slice(0, cursor);
    const sign = before === "" || /\s$/.test(before) ? "@" : " @";
    this.write(before + sign + value.slice(cursor), cursor + sign.length);
    this.focus();
    this.suggest();
  }

  private choose(item: Mention | SlashCommand): void {
    const { trigger } = this;
    const { value, selectionStart: cursor } = this.input;
    this.trigger = this.mentions = null;
    if (!trigger) return;
    if ("scope" in item) {
      const next = finishTrigger(value, cursor, trigger, item.title);
      this.write(next.text, next.cursor);
      this.conversation.limits.add(item.scope);
    } else {
      this.write("", 0);
      this.actions.run(item.name);
    }
  }

  private onKey(event: KeyboardEvent): void {
    if (!isComposing(event) && this.popup.takesKey(event)) {
      event.preventDefault();
      event.stopPropagation();
    } else if (sends(event)) {
      event.preventDefault();
      this.send();
    }
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
    this.actions.asked();
  }
}
