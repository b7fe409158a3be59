/** What lies over the workspace: notices, modals, the suggester, menus. Each as elements with Obsidian's classes. */
import type { Instruction, MenuPositionDef } from "obsidian";
import { Component, MenuItem } from "obsidian-test-mocks/obsidian";
import { setIcon } from "./functions";
import { popScope, pushScope, Scope } from "./scope";

// Kept from before timers are counted: how long a notice stays is not the plugin's timer.
const later = window.setTimeout.bind(window);

/** What every notice said since the page was opened, one after the other. */
export const noticed: string[] = [];

export class Notice {
  readonly containerEl: HTMLElement;
  readonly noticeEl: HTMLElement;
  readonly messageEl: HTMLElement;

  constructor(message: string | DocumentFragment, duration = 5000) {
    const { body } = activeDocument;
    const list = body.querySelector<HTMLElement>(".notice-container") ?? body.createDiv("notice-container");
    this.containerEl = this.noticeEl = list.createDiv("notice");
    this.messageEl = this.containerEl.createDiv("notice-message");
    this.setMessage(message);
    this.containerEl.addEventListener("click", () => this.hide());
    if (duration > 0) later(() => this.hide(), duration);
  }

  setMessage(message: string | DocumentFragment): this {
    this.messageEl.replaceChildren(message);
    noticed.push(this.messageEl.textContent ?? "");
    return this;
  }

  hide(): void {
    this.containerEl.remove();
  }
}

export class Modal {
  readonly scope = new Scope();
  readonly containerEl: HTMLElement;
  readonly modalEl: HTMLElement;
  readonly titleEl: HTMLElement;
  readonly contentEl: HTMLElement;
  shouldRestoreSelection = true;
  #focused: HTMLElement | null = null;
  #onClosed: () => unknown = () => undefined;

  constructor(readonly app: unknown) {
    this.containerEl = createDiv("modal-container mod-dim");
    this.containerEl.createDiv("modal-bg").addEventListener("click", () => this.close());
    this.modalEl = this.containerEl.createDiv({ cls: "modal", attr: { role: "dialog", "aria-modal": "true" } });
    const close = this.modalEl.createDiv({ cls: "modal-close-button", attr: { "aria-label": "Close" } });
    setIcon(close, "x");
    close.addEventListener("click", () => this.close());
    this.titleEl = this.modalEl.createDiv("modal-header").createDiv("modal-title");
    this.contentEl = this.modalEl.createDiv("modal-content");
    this.scope.register([], "Escape", () => (this.close(), false));
  }

  get isOpen(): boolean {
    return this.containerEl.isConnected;
  }

  open(): void {
    if (this.isOpen) return;
    this.#focused = activeDocument.activeElement as HTMLElement | null;
    activeDocument.body.appendChild(this.containerEl);
    pushScope(this.scope);
    this.modalEl.tabIndex = -1;
    this.modalEl.focus();
    void (this.onOpen() as unknown);
  }

  close(): void {
    if (!this.isOpen) return;
    popScope(this.scope);
    this.containerEl.remove();
    void (this.onClose() as unknown);
    this.#onClosed();
    if (this.shouldRestoreSelection) this.#focused?.focus();
  }

  onOpen(): void {}

  onClose(): void {}

  setTitle(title: string): this {
    this.titleEl.setText(title);
    return this;
  }

  setContent(content: string | DocumentFragment): this {
    this.contentEl.replaceChildren(content);
    return this;
  }

  setCloseCallback(callback: () => unknown): this {
    this.#onClosed = callback;
    return this;
  }
}

export abstract class SuggestModal<T> extends Modal {
  limit = 100;
  emptyStateText = "No results found.";
  readonly inputEl: HTMLInputElement;
  readonly resultContainerEl: HTMLElement;
  #values: T[] = [];
  #chosen = 0;

  constructor(app: unknown) {
    super(app);
    this.modalEl.className = "prompt";
    this.modalEl.replaceChildren();
    const holder = this.modalEl.createDiv("prompt-input-container");
    this.inputEl = holder.createEl("input", { cls: "prompt-input", type: "text", attr: { enterkeyhint: "done" } });
    this.resultContainerEl = this.modalEl.createDiv("prompt-results");
    this.inputEl.addEventListener("input", () => this.#ask());
    this.scope.register([], "ArrowDown", () => this.#choose(this.#chosen + 1));
    this.scope.register([], "ArrowUp", () => this.#choose(this.#chosen - 1));
    this.scope.register([], "Enter", (event) => {
      if (event.isComposing) return true;
      this.selectActiveSuggestion(event);
      return false;
    });
  }

  abstract getSuggestions(query: string): T[] | Promise<T[]>;
  abstract renderSuggestion(value: T, el: HTMLElement): void;
  abstract onChooseSuggestion(value: T, event: MouseEvent | KeyboardEvent): void;

  onNoSuggestion(): void {
    this.resultContainerEl.replaceChildren(createDiv({ cls: "suggestion-empty", text: this.emptyStateText }));
  }

  override open(): void {
    super.open();
    this.inputEl.focus();
    this.#ask();
  }

  setPlaceholder(text: string): void {
    this.inputEl.placeholder = text;
  }

  setInstructions(instructions: Instruction[]): void {
    this.modalEl.querySelector(".prompt-instructions")?.remove();
    const list = this.modalEl.createDiv("prompt-instructions");
    for (const { command, purpose } of instructions) {
      const one = list.createDiv("prompt-instruction");
      one.createSpan({ cls: "prompt-instruction-command", text: command });
      one.createSpan({ text: purpose });
    }
  }

  selectSuggestion(value: T, event: MouseEvent | KeyboardEvent): void {
    this.close();
    this.onChooseSuggestion(value, event);
  }

  selectActiveSuggestion(event: MouseEvent | KeyboardEvent): void {
    const value = this.#values[this.#chosen];
    if (value !== undefined) this.selectSuggestion(value, event);
  }

  /** Answers are shown as they come, late ones too: it is for the plugin to see that they do not. */
  #ask(): void {
    const found = this.getSuggestions(this.inputEl.value);
    if (found instanceof Promise) void found.then((values) => this.#show(values));
    else this.#show(found);
  }

  #show(values: T[]): void {
    this.#values = values.slice(0, this.limit);
    this.resultContainerEl.replaceChildren();
    if (this.#values.length === 0) return this.onNoSuggestion();
    this.#values.forEach((value, at) => {
      const el = this.resultContainerEl.createDiv("suggestion-item");
      this.renderSuggestion(value, el);
      el.addEventListener("click", (event) => this.selectSuggestion(value, event));
      el.addEventListener("mousemove", () => this.#choose(at));
    });
    this.#choose(0);
  }

  #choose(at: number): false {
    const count = this.#values.length;
    this.#chosen = count === 0 ? 0 : (at + count) % count;
    [...this.resultContainerEl.children].forEach((el, index) => el.toggleClass("is-selected", index === this.#chosen));
    this.resultContainerEl.children[this.#chosen]?.scrollIntoView({ block: "nearest" });
    return false;
  }
}

export class Menu extends Component {
  readonly #items: (MenuItem | null)[] = [];
  #el: HTMLElement | null = null;
  #onHide: () => unknown = () => undefined;

  addItem(build: (item: never) => unknown): this {
    const item = MenuItem.create__(this);
    build(item as never);
    this.#items.push(item);
    return this;
  }

  addSeparator(): this {
    this.#items.push(null);
    return this;
  }

  showAtMouseEvent(event: MouseEvent): this {
    return this.showAtPosition({ x: event.clientX, y: event.clientY }, event.view?.document);
  }

  showAtPosition({ x, y }: MenuPositionDef, doc: Document = activeDocument): this {
    this.#el = doc.body.createDiv("menu");
    this.#el.setCssProps({ "--menu-x": `${x}px`, "--menu-y": `${y}px` });
    for (const item of this.#items) this.#draw(this.#el, item);
    doc.addEventListener("click", () => this.hide(), { once: true, capture: true });
    return this;
  }

  hide(): this {
    if (!this.#el) return this;
    this.#el.remove();
    this.#el = null;
    this.#onHide();
    return this;
  }

  close(): void {
    this.hide();
  }

  onHide(callback: () => unknown): void {
    this.#onHide = callback;
  }

  setNoIcon(): this {
    return this;
  }

  #draw(parent: HTMLElement, item: MenuItem | null): void {
    if (!item) return void parent.createDiv("menu-separator");
    const el = parent.createDiv("menu-item tappable");
    el.toggleClass("is-disabled", item.disabled__);
    el.toggleClass("is-warning", item.warning__);
    if (item.icon__) setIcon(el.createDiv("menu-item-icon"), item.icon__);
    el.createDiv("menu-item-title").append(item.title__);
    if (!item.disabled__) el.addEventListener("click", (event) => void item.onClick__?.(event));
  }
}
