/** What is remembered about the person, the rules that were made of it, and what happened to it. */
import type { Component } from "obsidian";
import type { Memory, MemoryEvent, Rule } from "../../../shared-schemas/zibaldone";
import type { SidecarClient } from "../sidecar/client";
import { showEmpty, SidecarView } from "../sidecar-view";
import { Tabs } from "../tabs";
import { say } from "../words";
import { memoryFolder } from "./entries";
import { showHistory } from "./history";
import { MemoryList } from "./list";
import { showRules } from "./rules";

export const MEMORY_VIEW = "zibaldone-memory";
const TABS = ["entries", "rules", "history"] as const;

interface Told {
  memory: Memory;
  folder: string;
  rules: readonly Rule[];
  events: readonly MemoryEvent[];
}

export class MemoryView extends SidecarView<Told> {
  override icon = "brain";
  private tab: (typeof TABS)[number] = "entries";
  private all = false;
  private list: MemoryList | null = null;

  override getViewType(): string {
    return MEMORY_VIEW;
  }

  override getDisplayText(): string {
    return say("memory.title");
  }

  protected override prepare(bar: HTMLElement): void {
    this.addButton(bar, "refresh-cw", say("status.refresh"), () => void this.refresh());
    const past = this.addButton(bar, "archive", say("memory.showPast"), () => {
      this.all = !this.all;
      past.toggleClass("is-active", this.all);
      past.setAttribute("aria-pressed", String(this.all));
      void this.refresh();
    });
    past.setAttribute("aria-pressed", "false");
    const tabs = TABS.map((name) => ({ name, text: say(`memory.tab.${name}`) }));
    new Tabs(this.body, say("memory.title"), tabs, this.tab, this, (name) => {
      this.tab = name;
      void this.refresh();
    });
  }

  protected override async ask(client: SidecarClient, signal: AbortSignal): Promise<Told> {
    const { tab } = this;
    const [memory, config] = await Promise.all([
      client.memory(this.all || tab !== "entries", signal),
      client.config(signal),
    ]);
    const rules = tab === "rules" ? (await client.rules(signal)).rules : [];
    const events = tab === "history" ? (await client.memoryHistory(null, signal)).events : [];
    return { memory, folder: memoryFolder(config), rules, events };
  }

  protected override show(el: HTMLElement, { memory, folder, rules, events }: Told, owner: Component): void {
    const query = this.list?.query ?? "";
    this.list = null;
    const known = [...memory.entries, ...memory.expired];
    if (this.tab === "rules") return showRules(el, rules, known);
    if (this.tab === "history")
      return events.length > 0 ? showHistory(el, events) : showEmpty(el, say("memory.noHistory"));
    const parts = {
      app: this.app,
      hoverParent: this,
      connect: () => this.parts.connect(),
      find: (id: string) => known.find((entry) => entry.id === id),
      changed: () => void this.refresh(),
    };
    this.list = owner.addChild(new MemoryList(el, memory, folder, parts, query));
  }
}
