/** Leaves in tabs, in the main area, the right sidebar and popped-out windows. */
import type { EventRef, HoverParent, OpenViewState, PaneType, ViewState } from "obsidian";
import { Events, TFile } from "obsidian-test-mocks/obsidian";
import { setIcon, setTooltip } from "./functions";
import { NoteView } from "./note";
import { closeWindow, openWindow, tellMigrated } from "./popout";
import type { App } from "./types";
import { EmptyView, UnknownView, View } from "./views";

type Creator = (leaf: Leaf) => View;
type NewLeaf = boolean | PaneType;

/** One place with tabs: what `getRoot()` and `getContainer()` of a leaf return. */
export class Pane {
  readonly el: HTMLElement;
  readonly win: Window;
  readonly doc: Document;
  collapsed = false;
  readonly #tabsEl: HTMLElement;
  readonly #bodyEl: HTMLElement;
  readonly #tabs = new Map<Leaf, HTMLElement>();
  #shown: Leaf | null = null;

  constructor(parent: HTMLElement, kind: "mod-root" | "mod-right-split" | "mod-window") {
    this.el = parent.createDiv(`workspace-split mod-vertical ${kind}`);
    [this.doc, this.win] = [this.el.doc, this.el.win];
    const tabs = this.el.createDiv("workspace-tabs mod-top");
    this.#tabsEl = tabs.createDiv("workspace-tab-header-container").createDiv("workspace-tab-header-container-inner");
    this.#bodyEl = tabs.createDiv("workspace-tab-container");
  }

  get leaves(): Leaf[] {
    return [...this.#tabs.keys()];
  }

  get shown(): Leaf | null {
    return this.#shown;
  }

  add(leaf: Leaf): void {
    const tab = this.#tabsEl.createDiv("workspace-tab-header tappable");
    tab.addEventListener("click", () => leaf.workspace.setActiveLeaf(leaf, { focus: true }));
    this.#tabs.set(leaf, tab);
    this.#bodyEl.appendChild(leaf.containerEl);
    leaf.pane = this;
    this.show(leaf);
  }

  remove(leaf: Leaf): void {
    this.#tabs.get(leaf)?.remove();
    this.#tabs.delete(leaf);
    leaf.containerEl.remove();
    const next = this.leaves.at(-1);
    if (this.#shown === leaf) this.#shown = null;
    if (next) this.show(next);
  }

  show(shown: Leaf): void {
    this.#shown = shown;
    this.draw();
  }

  draw(): void {
    for (const [leaf, tab] of this.#tabs) {
      const isShown = leaf === this.#shown;
      tab.toggleClass("is-active", isShown);
      leaf.containerEl.toggleClass("is-hidden", !isShown);
      const inner = createDiv("workspace-tab-header-inner");
      setIcon(inner.createDiv("workspace-tab-header-inner-icon"), leaf.getIcon());
      inner.createDiv({ cls: "workspace-tab-header-inner-title", text: leaf.getDisplayText() });
      setTooltip(tab, leaf.getDisplayText());
      tab.replaceChildren(inner);
    }
  }

  expand(): void {
    this.collapsed = false;
    this.el.removeClass("is-sidedock-collapsed");
  }

  collapse(): void {
    this.collapsed = true;
    this.el.addClass("is-sidedock-collapsed");
  }

  toggle(): void {
    if (this.collapsed) this.expand();
    else this.collapse();
  }
}

export class Leaf extends Events {
  readonly id: string = crypto.randomUUID();
  readonly isDeferred = false;
  readonly containerEl = createDiv("workspace-leaf");
  hoverPopover: HoverParent["hoverPopover"] = null;
  pane!: Pane;
  view!: View;
  /** Views come and go one after the other, also where a plugin is turned off while its view is being opened. */
  #opened: Promise<void> = Promise.resolve();

  constructor(
    readonly app: App,
    readonly workspace: Workspace,
  ) {
    super();
    // As in Obsidian, where one works is what is active.
    const activate = () => this.workspace.setActiveLeaf(this);
    for (const event of ["mousedown", "focusin"]) this.containerEl.addEventListener(event, activate, true);
  }

  get parent(): Pane {
    return this.pane;
  }

  async open(view: View): Promise<View> {
    const before = this.view as View | undefined;
    this.view = view;
    const opened = this.#opened.then(async () => {
      if (before !== view) await before?.close();
      await view.open(this.containerEl);
    });
    this.#opened = opened.catch(() => undefined);
    await opened;
    this.pane.draw();
    this.workspace.trigger("layout-change");
    return view;
  }

  getViewState(): ViewState {
    return { type: this.view.getViewType(), state: this.view.getState() };
  }

  async setViewState({ type, state = {}, active = false }: ViewState, eState?: unknown): Promise<void> {
    if (this.view.getViewType() !== type || this.view instanceof UnknownView)
      await this.open(this.workspace.makeView(type, this, state));
    await this.view.setState(state, { history: false });
    if (eState) this.setEphemeralState(eState);
    this.pane.draw();
    if (active) this.workspace.setActiveLeaf(this, { focus: true });
    this.workspace.tellFileOpen();
  }

  setEphemeralState(state: unknown): void {
    this.view.setEphemeralState(state);
  }

  getEphemeralState(): Record<string, unknown> {
    return this.view.getEphemeralState();
  }

  async openFile(file: TFile, { eState, active = true, state }: OpenViewState = {}): Promise<void> {
    await this.setViewState({ type: "markdown", state: { ...state, file: file.path }, active }, eState);
  }

  async loadIfDeferred(): Promise<void> {}

  getDisplayText(): string {
    return this.view.getDisplayText();
  }

  getIcon(): string {
    return this.view.getIcon();
  }

  getRoot(): Pane {
    return this.pane;
  }

  getContainer(): Pane {
    return this.pane === this.workspace.rightSplit ? this.workspace.rootSplit : this.pane;
  }

  detach(): void {
    this.pane.remove(this);
    void this.view.close();
    this.workspace.forget(this);
  }
}

export class Workspace extends Events {
  readonly app: App;
  readonly containerEl: HTMLElement;
  readonly rootSplit: Pane;
  readonly rightSplit: Pane;
  activeLeaf: Leaf | null = null;
  layoutReady = false;
  readonly #windows = new Set<Pane>();
  readonly #creators = new Map<string, Creator>();
  #whenReady: (() => unknown)[] = [];
  #recentFile: TFile | null = null;
  #openFile: TFile | null = null;

  constructor(app: App, containerEl: HTMLElement) {
    super();
    this.app = app;
    this.containerEl = containerEl;
    this.rootSplit = new Pane(containerEl, "mod-root");
    this.rightSplit = new Pane(containerEl, "mod-right-split");
    this.rightSplit.collapse();
    this.registerView("empty", (leaf) => new EmptyView(leaf));
    this.registerView("markdown", (leaf) => new NoteView(leaf));
  }

  get activeEditor(): NoteView | null {
    return this.getActiveViewOfType(NoteView);
  }

  // Views

  registerView(type: string, creator: Creator): void {
    if (this.#creators.has(type)) throw new Error(`Attempting to register an existing view type "${type}"`);
    this.#creators.set(type, creator);
    for (const leaf of this.getLeavesOfType(type)) void leaf.setViewState(leaf.getViewState());
  }

  unregisterView(type: string): void {
    this.#creators.delete(type);
    for (const leaf of this.getLeavesOfType(type)) void leaf.open(new UnknownView(leaf, type, leaf.view.getState()));
  }

  makeView(type: string, leaf: Leaf, state: Record<string, unknown>): View {
    return this.#creators.get(type)?.(leaf) ?? new UnknownView(leaf, type, state);
  }

  // Leaves

  get #panes(): Pane[] {
    return [this.rootSplit, this.rightSplit, ...this.#windows];
  }

  iterateAllLeaves(callback: (leaf: Leaf) => unknown): void {
    for (const pane of this.#panes) pane.leaves.forEach(callback);
  }

  iterateRootLeaves(callback: (leaf: Leaf) => unknown): void {
    for (const pane of this.#panes) if (pane !== this.rightSplit) pane.leaves.forEach(callback);
  }

  getLeavesOfType(type: string): Leaf[] {
    return this.#panes.flatMap((pane) => pane.leaves).filter((leaf) => leaf.view.getViewType() === type);
  }

  getLeafById(id: string): Leaf | null {
    return this.#panes.flatMap((pane) => pane.leaves).find((leaf) => leaf.id === id) ?? null;
  }

  getActiveViewOfType<T>(type: abstract new (...args: never[]) => T): T | null {
    const view = this.activeLeaf?.view;
    return view instanceof type ? view : null;
  }

  getMostRecentLeaf(pane: Pane = this.rootSplit): Leaf | null {
    return pane.shown;
  }

  /** An active leaf that can be navigated is used again, wherever it is: a view that is static has to say so. */
  getLeaf(newLeaf: NewLeaf = false): Leaf {
    if (newLeaf === "window") return this.openPopoutLeaf();
    if (newLeaf === false) {
      const usable = [this.activeLeaf, this.rootSplit.shown].find((leaf) => leaf?.view.navigation);
      if (usable) return usable;
    }
    return this.#addLeaf(this.rootSplit);
  }

  getRightLeaf(_split: boolean): Leaf {
    return this.#addLeaf(this.rightSplit);
  }

  getLeftLeaf(split: boolean): Leaf {
    return this.getRightLeaf(split);
  }

  async ensureSideLeaf(
    type: string,
    side: "left" | "right",
    options: { active?: boolean; reveal?: boolean; state?: Record<string, unknown> } = {},
  ): Promise<Leaf> {
    const { active = false, reveal = true, state = {} } = options;
    const leaf =
      this.getLeavesOfType(type).find(({ pane }) => pane === this.rightSplit) ?? this.getRightLeaf(side === "left");
    await leaf.setViewState({ type, active, state });
    if (reveal) await this.revealLeaf(leaf);
    return leaf;
  }

  async revealLeaf(leaf: Leaf): Promise<void> {
    leaf.pane.expand();
    leaf.pane.show(leaf);
    leaf.pane.win.focus();
    await leaf.loadIfDeferred();
  }

  setActiveLeaf(leaf: Leaf, { focus = false }: { focus?: boolean } = {}): void {
    leaf.pane.show(leaf);
    if (focus) leaf.view.setEphemeralState({ focus: true });
    if (this.activeLeaf === leaf) return;
    this.activeLeaf?.containerEl.removeClass("mod-active");
    leaf.containerEl.addClass("mod-active");
    this.activeLeaf = leaf;
    Object.assign(window, { activeWindow: leaf.pane.win, activeDocument: leaf.pane.doc });
    this.trigger("active-leaf-change", leaf);
    this.tellFileOpen();
  }

  detachLeavesOfType(type: string): void {
    for (const leaf of this.getLeavesOfType(type)) leaf.detach();
  }

  forget(leaf: Leaf): void {
    if (this.activeLeaf === leaf) this.activeLeaf = null;
    if (this.#windows.has(leaf.pane) && leaf.pane.leaves.length === 0) this.#closeWindow(leaf.pane);
    if (this.rootSplit.leaves.length === 0) this.#addLeaf(this.rootSplit);
    this.trigger("layout-change");
  }

  #addLeaf(pane: Pane): Leaf {
    const leaf = new Leaf(this.app, this);
    leaf.view = new EmptyView(leaf);
    pane.add(leaf);
    void leaf.open(leaf.view);
    return leaf;
  }

  // Files

  getActiveFile(): TFile | null {
    return this.#recentFile;
  }

  getLastOpenFiles(): string[] {
    return this.#recentFile ? [this.#recentFile.path] : [];
  }

  /** Told whenever another file, or none, is in the active view. */
  tellFileOpen(): void {
    const view = this.activeLeaf?.view;
    const file = view instanceof NoteView ? view.file : null;
    if (file) this.#recentFile = file;
    if (file === this.#openFile) return;
    this.#openFile = file;
    this.trigger("file-open", file);
  }

  forgetFile(file: TFile): void {
    if (this.#recentFile === file) this.#recentFile = null;
    for (const leaf of this.getLeavesOfType("markdown"))
      if (leaf.view instanceof NoteView && leaf.view.file === file) void leaf.setViewState({ type: "empty" });
  }

  /** As in Obsidian, a link to a note that is not there makes it. */
  async openLinkText(
    linktext: string,
    sourcePath: string,
    newLeaf: NewLeaf = false,
    openState: OpenViewState = {},
  ): Promise<void> {
    const [path = "", ...rest] = linktext.split("#");
    const found = this.app.metadataCache.getFirstLinkpathDest(path, sourcePath);
    const file = found ?? (await this.app.vault.create(path.endsWith(".md") ? path : `${path}.md`, ""));
    const subpath = rest.length > 0 ? { subpath: `#${rest.join("#")}` } : {};
    const eState = { ...subpath, ...(openState.eState as object | undefined) };
    await this.getLeaf(newLeaf).openFile(file, { ...openState, eState });
  }

  // Windows

  openPopoutLeaf(): Leaf {
    return this.#addLeaf(this.#openWindow());
  }

  /** The leaf's elements move to the other window's document: the same objects, with another `doc` and `win`. */
  moveLeafToPopout(leaf: Leaf): Pane {
    const pane = this.#openWindow();
    leaf.pane.remove(leaf);
    pane.add(leaf);
    tellMigrated(leaf.containerEl, pane.win);
    this.setActiveLeaf(leaf);
    this.trigger("layout-change");
    return pane;
  }

  #openWindow(): Pane {
    const win = openWindow();
    const pane = new Pane(win.document.body.createDiv("app-container").createDiv("workspace"), "mod-window");
    this.#windows.add(pane);
    win.addEventListener("pagehide", () => this.#closeWindow(pane), { once: true });
    this.trigger("window-open", pane, win);
    return pane;
  }

  #closeWindow(pane: Pane): void {
    if (!this.#windows.delete(pane)) return;
    for (const leaf of pane.leaves) void leaf.view.close();
    if (this.activeLeaf?.pane === pane) this.activeLeaf = null;
    Object.assign(window, { activeWindow: window, activeDocument: document });
    this.trigger("window-close", pane, pane.win);
    closeWindow(pane.win);
  }

  // Start

  onLayoutReady(callback: () => unknown): void {
    if (this.layoutReady) callback();
    else this.#whenReady.push(callback);
  }

  becomeReady(): void {
    this.#addLeaf(this.rootSplit);
    this.layoutReady = true;
    for (const callback of this.#whenReady.splice(0)) callback();
    this.trigger("layout-ready");
  }

  requestSaveLayout(): void {}

  updateOptions(): void {}

  override on(name: string, callback: (...data: never[]) => unknown, context?: unknown): EventRef {
    return super.on(name, callback as (...data: unknown[]) => unknown, context);
  }
}
