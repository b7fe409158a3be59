/** All that is remembered about the person, by type, with a field that narrows it down. */
import { Component } from "obsidian";
import type { Memory, MemoryEntry } from "../../../shared-schemas/zibaldone";
import { linkTo } from "../place";
import { say, type Key } from "../words";
import { holdsWords, TYPES } from "./entries";
import { EntryRow, type MemoryContext } from "./row";

interface Section {
  el: HTMLElement;
  rows: { el: HTMLElement; text: string }[];
}

export class MemoryList extends Component {
  private readonly sections: Section[] = [];
  private readonly search: HTMLInputElement | null = null;

  constructor(
    private readonly el: HTMLElement,
    memory: Memory,
    private readonly folder: string,
    private readonly parts: MemoryContext,
    /** What stood in the field before. */
    query = "",
  ) {
    super();
    const { entries, expired } = memory;
    this.showProblems(memory);
    if (entries.length + expired.length === 0) {
      el.createDiv({ cls: "zibaldone-empty", text: say("memory.nothing") });
      return;
    }
    this.search = this.addSearch(query);
    const active = entries.filter(({ state }) => state === "active");
    for (const type of TYPES)
      this.addSection(
        `memory.type.${type}`,
        active.filter((entry) => entry.type === type),
      );
    this.addSection("memory.expired", expired);
    this.addSection(
      "memory.past",
      entries.filter(({ state }) => state !== "active"),
    );
    this.narrow(query);
  }

  get query(): string {
    return this.search?.value ?? "";
  }

  private addSearch(query: string): HTMLInputElement {
    const label = say("memory.search");
    const attr = { type: "search", placeholder: label, "aria-label": label };
    const search = this.el.createEl("input", { cls: "zibaldone-memory-search", value: query, attr });
    const none = this.el.createDiv({ cls: "zibaldone-remark", text: say("search.nothing"), attr: { role: "status" } });
    none.hide();
    this.registerDomEvent(search, "input", () => none.toggle(!this.narrow(search.value)));
    return search;
  }

  /** Shows what holds the words; whether anything does. */
  private narrow(query: string): boolean {
    const found = this.sections.map(({ el, rows }) => {
      const held = rows.filter(({ el: row, text }) => {
        const holds = holdsWords(text, query);
        row.toggle(holds);
        return holds;
      });
      el.toggle(held.length > 0);
      return held.length > 0;
    });
    return found.includes(true);
  }

  private addSection(heading: Key, entries: readonly MemoryEntry[]): void {
    if (entries.length === 0) return;
    const el = this.el.createEl("section");
    el.createEl("h3", { cls: "zibaldone-heading", text: say(heading) });
    const list = el.createEl("ul", { cls: "zibaldone-entries" });
    const rows = entries.map((entry) => {
      const row = this.addChild(new EntryRow(list, entry, this.folder, this.parts));
      return { el: row.el, text: entry.content };
    });
    this.sections.push({ el, rows });
  }

  /** Lines of the pages that are not understood. */
  private showProblems({ problems }: Memory): void {
    for (const { path, line, message } of problems) {
      const remark = this.el.createDiv({ cls: "zibaldone-remark", attr: { dir: "auto" } });
      const text = say("answer.lines", { path, line });
      const link = remark.createEl("a", { cls: "zibaldone-place-link", href: "#", text });
      linkTo(link, { path, line, page: null }, { ...this.parts, owner: this });
      remark.appendText(`: ${message}`);
    }
  }
}
