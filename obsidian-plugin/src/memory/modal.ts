/** All that is remembered about the person, by type, with a field that narrows it down. */
import type { Memory, MemoryEntry } from "../../../shared-schemas/zibaldone";
import { AnswerModal } from "../dialog";
import { linkTo } from "../place";
import type { SidecarClient } from "../sidecar/client";
import { say, type Key } from "../words";
import { holdsWords, memoryFolder, TYPES } from "./entries";
import { EntryRow } from "./row";

interface Told {
  memory: Memory;
  folder: string;
}

interface Section {
  el: HTMLElement;
  rows: { el: HTMLElement; text: string }[];
}

export class MemoryModal extends AnswerModal<Told> {
  private readonly sections: Section[] = [];

  protected override async load(client: SidecarClient, signal: AbortSignal): Promise<Told> {
    const [memory, config] = await Promise.all([client.memory(false, signal), client.config(signal)]);
    return { memory, folder: memoryFolder(config) };
  }

  protected override show(el: HTMLElement, { memory, folder }: Told): void {
    const { entries, expired } = memory;
    this.showProblems(el, memory);
    if (entries.length + expired.length === 0) {
      el.createDiv({ text: say("memory.nothing") });
      return;
    }
    const label = say("memory.search");
    const attr = { type: "search", placeholder: label, "aria-label": label };
    const search = el.createEl("input", { cls: "zibaldone-memory-search", attr });
    for (const type of TYPES)
      this.addSection(
        el,
        `memory.type.${type}`,
        entries.filter((entry) => entry.type === type),
        folder,
      );
    this.addSection(el, "memory.expired", expired, folder);
    const none = el.createDiv({ cls: "zibaldone-remark", text: say("search.nothing"), attr: { role: "status" } });
    none.hide();
    this.owner.registerDomEvent(search, "input", () => none.toggle(!this.narrow(search.value)));
    search.focus();
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

  private addSection(parent: HTMLElement, heading: Key, entries: readonly MemoryEntry[], folder: string): void {
    if (entries.length === 0) return;
    const el = parent.createEl("section");
    el.createEl("h3", { cls: "zibaldone-heading", text: say(heading) });
    const list = el.createEl("ul", { cls: "zibaldone-entries" });
    const parts = { app: this.app, hoverParent: this, connect: () => this.client() };
    const rows = entries.map((entry) => {
      const row = this.owner.addChild(new EntryRow(list, entry, folder, parts));
      return { el: row.el, text: entry.content };
    });
    this.sections.push({ el, rows });
  }

  /** Lines of the pages that are not understood. */
  private showProblems(el: HTMLElement, { problems }: Memory): void {
    for (const { path, line, message } of problems) {
      const remark = el.createDiv({ cls: "zibaldone-remark", attr: { dir: "auto" } });
      const text = say("answer.lines", { path, line });
      const link = remark.createEl("a", { cls: "zibaldone-place-link", href: "#", text });
      linkTo(link, { path, line, page: null }, { app: this.app, owner: this.owner, hoverParent: this });
      remark.appendText(`: ${message}`);
    }
  }
}
