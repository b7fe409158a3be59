/** The memory of the vault: concepts, when things happened, how thinking moved, what slips away, and cards against that. */
import type { Component, WorkspaceLeaf } from "obsidian";
import type { Concepts, Drift, Forgetting, MemoryStats, Timeline } from "../../../shared-schemas/zibaldone";
import { ownFolder } from "../memory/entries";
import type { SidecarClient } from "../sidecar/client";
import { touch } from "../sidecar/touch";
import { showEmpty, SidecarView, type ViewParts } from "../sidecar-view";
import type { StatusWatch } from "../status/watch";
import { Tabs } from "../tabs";
import { say, sayCount } from "../words";
import { Head } from "./head";
import { showConcepts, showDrift, showForgetting, showTimeline } from "./lists";
import type { NodeContext } from "./node";
import { findNodeNote } from "./notes";
import { RecallPane } from "./recall";

export const VAULT_MEMORY_VIEW = "zibaldone-vault-memory";
export const TABS = ["concepts", "timeline", "drift", "forgetting", "recall"] as const;
export type MemoryTab = (typeof TABS)[number];

/** Nodes that are asked for: more than anybody reads, and few enough to be drawn at once. */
const MOST = 200;
/** How often a build that runs is looked at, and one that does not. */
const BUSY_MS = 2000;
const QUIET_MS = 30_000;

export interface VaultMemoryParts extends ViewParts {
  readonly status: Pick<StatusWatch, "last" | "subscribe">;
}

type Found = Concepts | Timeline | Drift | Forgetting;

interface Told {
  readonly tab: MemoryTab;
  readonly isBuilt: boolean;
  readonly folder: string;
  /** Null for the cards, which ask for themselves, and where nothing is built. */
  readonly found: Found | null;
  /** Of the card that was asked for. */
  readonly node: string | null;
}

export class VaultMemoryView extends SidecarView<Told> {
  override icon = "library";
  private tab: MemoryTab = "concepts";
  private node: string | null = null;
  private stats: MemoryStats | null = null;
  private askedAt = 0;
  private readonly opened = new Map<MemoryTab, Set<string>>();
  /** Where the focus was before it is drawn anew. */
  private focused: string | null = null;
  private head!: Head;
  private tabs!: Tabs<MemoryTab>;

  constructor(
    leaf: WorkspaceLeaf,
    private readonly all: VaultMemoryParts,
  ) {
    super(leaf, all);
  }

  override getViewType(): string {
    return VAULT_MEMORY_VIEW;
  }

  override getDisplayText(): string {
    return say("vaultMemory.title");
  }

  /** A tab, and where it is the cards the one of a node. */
  select(tab: MemoryTab, node: string | null = null): void {
    this.tabs.mark(tab);
    this.showTab(tab, node);
  }

  private showTab(tab: MemoryTab, node: string | null): void {
    this.tab = tab;
    this.node = node;
    this.fill((el) => void el.createDiv({ cls: "zibaldone-remark", text: say("dialog.loading") }));
    void this.refresh();
  }

  protected override prepare(bar: HTMLElement): void {
    this.addButton(bar, "refresh-cw", say("status.refresh"), () => void this.refresh());
    const el = createDiv({ cls: "zibaldone-build" });
    this.body.before(el);
    const connect = () => this.all.connect();
    this.head = this.addChild(new Head(el, { connect, changed: () => void this.look() }));
    const tabs = TABS.map((name) => ({ name, text: say(`vaultMemory.tab.${name}`) }));
    const label = this.getDisplayText();
    this.tabs = new Tabs(this.body, label, tabs, this.tab, this, (name) => this.showTab(name, null));
    this.register(this.all.status.subscribe(() => this.showHead()));
    this.registerInterval(window.setInterval(() => this.tick(), BUSY_MS));
  }

  protected override focus(): void {
    const row = this.focused === null ? null : this.body.querySelector(`[data-node="${CSS.escape(this.focused)}"]`);
    const target = row?.querySelector<HTMLElement>("summary");
    if (target) target.focus();
    else this.tabs.focus();
  }

  protected override fill(write: (el: HTMLElement, owner: Component) => void, shown = ""): void {
    const active = this.body.doc.activeElement;
    if (this.body.contains(active)) this.focused = active?.closest("[data-node]")?.getAttribute("data-node") ?? null;
    if (this.all.supervisor.state.kind !== "ready") this.stats = null;
    this.showHead();
    super.fill(write, shown);
  }

  protected override async ask(client: SidecarClient, signal: AbortSignal): Promise<Told> {
    const { tab, node } = this;
    const [stats, config] = await Promise.all([client.memoryStats(signal), client.config(signal)]);
    this.take(stats);
    const isBuilt = stats.built_at !== null;
    return { tab, isBuilt, folder: ownFolder(config), node, found: isBuilt ? await find(client, tab, signal) : null };
  }

  protected override show(el: HTMLElement, told: Told, owner: Component): void {
    const { tab } = told;
    if (tab !== this.tab) return; // another was chosen meanwhile, and is asked for
    if (!told.isBuilt) return showEmpty(el, say("vaultMemory.notBuilt"), say("vaultMemory.notBuilt.detail"));
    const context: NodeContext = {
      ...this.link(owner),
      opened: this.openedOf(tab),
      noteOf: (node) => findNodeNote(this.app, told.folder, node),
      touched: (event) => touch(this.all.supervisor, [event]),
    };
    const { found } = told;
    if (!found || tab === "recall") {
      const actions = { connect: () => this.all.connect(), showAll: () => this.select("recall") };
      owner.addChild(new RecallPane(el, told.node, context, actions));
      return;
    }
    if (found.total === 0) return showEmpty(el, say(`vaultMemory.none.${tab}`), say("vaultMemory.none.detail"));
    const count = this.showFound(el, found, context);
    if (found.total > count)
      el.createDiv({ cls: "zibaldone-remark", text: sayCount("status.more", found.total - count) });
  }

  private openedOf(tab: MemoryTab): Set<string> {
    const opened = this.opened.get(tab) ?? new Set();
    this.opened.set(tab, opened);
    return opened;
  }

  /** How many there are. */
  private showFound(el: HTMLElement, found: Found, context: NodeContext): number {
    if ("concepts" in found) {
      showConcepts(el, found.concepts, context);
      return found.concepts.length;
    }
    if ("timeline" in found) {
      showTimeline(el, found.timeline, context);
      return found.timeline.length;
    }
    if ("drift" in found) {
      showDrift(el, found.drift, context);
      return found.drift.length;
    }
    showForgetting(el, found.forgetting, context, (node) => {
      this.select("recall", node);
      this.tabs.focus();
    });
    return found.forgetting.length;
  }

  private tick(): void {
    const wait = this.stats?.state === "building" ? BUSY_MS : QUIET_MS;
    if (this.contentEl.isShown() && Date.now() - this.askedAt >= wait) void this.look();
  }

  /** Only how far it is; what is shown is asked for anew once that was built anew. */
  private async look(): Promise<void> {
    const { state } = this.all.supervisor;
    if (state.kind !== "ready") return;
    const before = this.stats?.built_at;
    try {
      this.take(await state.client.memoryStats());
    } catch {
      return; // the pane says what is wrong when it asks itself
    }
    if (this.stats?.built_at !== before) void this.refresh();
  }

  private take(stats: MemoryStats): void {
    this.askedAt = Date.now();
    this.stats = stats;
    this.showHead();
  }

  private showHead(): void {
    this.head.show(this.stats, this.all.status.last);
  }
}

async function find(client: SidecarClient, tab: MemoryTab, signal: AbortSignal): Promise<Found | null> {
  switch (tab) {
    case "concepts":
      return await client.concepts(MOST, signal);
    case "timeline":
      return await client.timeline(MOST, signal);
    case "drift":
      return await client.drift(MOST, signal);
    case "forgetting":
      return await client.forgetting(MOST, signal);
    case "recall":
      return null;
  }
}
