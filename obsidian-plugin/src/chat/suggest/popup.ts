/** The list above the composer: chosen from by keys or by a click, while the cursor stays in the text. */
import { setIcon, type Component } from "obsidian";
import { sayCount } from "../../words";

export interface Item {
  readonly icon: string;
  readonly title: string;
  readonly detail: string;
}

let lists = 0;

export class Popup<T extends Item> {
  private readonly el: HTMLElement;
  private readonly status: HTMLElement;
  private items: readonly T[] = [];
  private chosen = 0;

  constructor(
    parent: HTMLElement,
    /** What the cursor stays in. */
    private readonly input: HTMLElement,
    owner: Component,
    private readonly choose: (item: T) => void,
  ) {
    const id = `zibaldone-suggestions-${lists++}`;
    this.el = parent.createDiv({ cls: "zibaldone-suggestions", attr: { role: "listbox", id } });
    this.el.hide();
    this.status = parent.createDiv({ cls: "zibaldone-hidden", attr: { "aria-live": "polite" } });
    input.setAttribute("aria-autocomplete", "list");
    input.setAttribute("aria-controls", id);
    // The text keeps the focus.
    owner.registerDomEvent(this.el, "mousedown", (event) => event.preventDefault());
    owner.registerDomEvent(this.el, "click", (event) => this.pick(this.indexAt(event)));
    owner.registerDomEvent(this.el, "mousemove", (event) => this.select(this.indexAt(event)));
    owner.registerDomEvent(input, "blur", () => this.show([]));
  }

  get open(): boolean {
    return this.items.length > 0;
  }

  /** None closes it. */
  show(items: readonly T[]): void {
    if (items.length === 0 && !this.open) return;
    this.items = items;
    this.el.empty();
    for (const [at, item] of items.entries()) this.addItem(at, item);
    this.el.toggle(this.open);
    this.status.setText(this.open ? sayCount("suggest.found", items.length) : "");
    this.select(0);
  }

  /** Whether the key was one for the list. */
  takesKey({ key }: Pick<KeyboardEvent, "key">): boolean {
    if (!this.open) return false;
    switch (key) {
      case "ArrowDown":
        this.select((this.chosen + 1) % this.items.length);
        return true;
      case "ArrowUp":
        this.select((this.chosen + this.items.length - 1) % this.items.length);
        return true;
      case "Enter":
      case "Tab":
        this.pick(this.chosen);
        return true;
      case "Escape":
        this.show([]);
        return true;
      default:
        return false;
    }
  }

  private addItem(at: number, { icon, title, detail }: T): void {
    const el = this.el.createDiv({
      cls: "suggestion-item zibaldone-suggestion",
      attr: { role: "option", id: `${this.el.id}-${at}`, dir: "auto" },
    });
    setIcon(el.createSpan({ cls: "zibaldone-icon" }), icon);
    el.createSpan({ cls: "zibaldone-suggestion-title", text: title });
    if (detail) el.createSpan({ cls: "zibaldone-suggestion-detail", text: detail });
  }

  private select(at: number): void {
    if (at < 0) return;
    this.chosen = at;
    for (const [index, el] of Array.from(this.el.children).entries()) {
      el.toggleClass("is-selected", index === at);
      el.setAttribute("aria-selected", String(index === at));
    }
    const el = this.el.children[at];
    el?.scrollIntoView({ block: "nearest" });
    if (el) this.input.setAttribute("aria-activedescendant", el.id);
    else this.input.removeAttribute("aria-activedescendant");
  }

  private pick(at: number): void {
    const item = this.items[at];
    if (!item) return;
    this.show([]);
    this.choose(item);
  }

  private indexAt({ targetNode }: MouseEvent): number {
    const el = targetNode?.instanceOf(Element) ? targetNode.closest(".zibaldone-suggestion") : null;
    return el ? Array.from(this.el.children).indexOf(el) : -1;
  }
}
