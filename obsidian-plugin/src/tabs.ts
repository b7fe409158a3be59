/** Tabs by the keyboard too: the arrow keys, Home and End go from one to the next, and only the chosen one is a stop of Tab. */
import type { Component } from "obsidian";
import { sayNumber } from "./words";

export interface Tab<T extends string> {
  readonly name: T;
  readonly text: string;
  /** How much there is of it; not shown where it is left out. */
  readonly count?: number;
}

let lists = 0;

export class Tabs<T extends string> {
  readonly el: HTMLElement;
  private readonly buttons = new Map<T, HTMLElement>();

  constructor(
    /** What the chosen tab shows. */
    private readonly panel: HTMLElement,
    label: string,
    tabs: readonly Tab<T>[],
    chosen: T,
    owner: Component,
    private readonly chose: (name: T) => void,
  ) {
    const id = `zibaldone-tabs-${lists++}`;
    this.el = createDiv({ cls: "zibaldone-tabs", attr: { role: "tablist", "aria-label": label } });
    panel.before(this.el);
    panel.setAttrs({ id: `${id}-panel`, role: "tabpanel" });
    for (const { name, text, count } of tabs) {
      const tab = this.el.createEl("button", { cls: "zibaldone-tab" });
      tab.createSpan({ text });
      if (count !== undefined) tab.createSpan({ cls: "zibaldone-count", text: sayNumber(count) });
      tab.setAttrs({ type: "button", role: "tab", id: `${id}-${name}`, "aria-controls": panel.id, "data-tab": name });
      this.buttons.set(name, tab);
      owner.registerDomEvent(tab, "click", () => this.choose(name));
    }
    owner.registerDomEvent(this.el, "keydown", (event) => this.onKey(event));
    this.mark(chosen);
  }

  choose(name: T): void {
    this.mark(name);
    this.chose(name);
  }

  focus(): void {
    this.el.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
  }

  /** Shows which is chosen. */
  mark(chosen: T): void {
    for (const [name, tab] of this.buttons) {
      tab.setAttrs({ "aria-selected": String(name === chosen), tabindex: name === chosen ? "0" : "-1" });
      if (name === chosen) this.panel.setAttribute("aria-labelledby", tab.id);
    }
  }

  private onKey(event: KeyboardEvent): void {
    const names = [...this.buttons.keys()];
    const at = names.findIndex((name) => this.buttons.get(name)?.getAttribute("aria-selected") === "true");
    const to = nextOf(event.key, at, names.length);
    const name = to === null ? undefined : names[to];
    if (name === undefined) return;
    event.preventDefault();
    this.choose(name);
    this.focus();
  }
}

/** Where a key leads from the tab `at`, of `count`; null where it is no key for tabs. Round at both ends. */
export function nextOf(key: string, at: number, count: number): number | null {
  switch (key) {
    case "ArrowRight":
    case "ArrowDown":
      return (at + 1) % count;
    case "ArrowLeft":
    case "ArrowUp":
      return (at + count - 1) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
