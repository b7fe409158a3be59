/** Views as they sit in a leaf: `View`, `ItemView`, and the two that are shown where there is nothing to show. */
import { Component } from "obsidian-test-mocks/obsidian";
import { setIcon, setTooltip } from "./functions";
import type { Scope } from "./scope";
import type { App } from "./types";
import type { Leaf } from "./workspace";

export abstract class View extends Component {
  app: App;
  icon = "lucide-file";
  navigation = false;
  scope: Scope | null = null;
  containerEl: HTMLElement;
  leaf: Leaf;

  constructor(leaf: Leaf) {
    super();
    this.leaf = leaf;
    this.app = leaf.app;
    this.containerEl = createDiv("workspace-leaf-content");
  }

  abstract getViewType(): string;
  abstract getDisplayText(): string;

  getIcon(): string {
    return this.icon;
  }

  getState(): Record<string, unknown> {
    return {};
  }

  async setState(_state: unknown, _result: unknown): Promise<void> {}

  getEphemeralState(): Record<string, unknown> {
    return {};
  }

  setEphemeralState(_state: unknown): void {}

  onPaneMenu(_menu: unknown, _source: string): void {}

  onResize(): void {}

  protected async onOpen(): Promise<void> {}

  protected async onClose(): Promise<void> {}

  /** What a leaf does with its view: not of the public API, and called as Obsidian calls it. */
  async open(parent: HTMLElement): Promise<void> {
    parent.appendChild(this.containerEl);
    this.containerEl.setAttribute("data-type", this.getViewType());
    this.load();
    await this.onOpen();
  }

  async close(): Promise<void> {
    await this.onClose();
    this.unload();
    this.containerEl.remove();
  }
}

export abstract class ItemView extends View {
  contentEl: HTMLElement;
  readonly titleEl: HTMLElement;
  readonly actionsEl: HTMLElement;

  constructor(leaf: Leaf) {
    super(leaf);
    const header = this.containerEl.createDiv("view-header");
    this.titleEl = header.createDiv("view-header-title-container").createDiv("view-header-title");
    this.actionsEl = header.createDiv("view-actions");
    this.contentEl = this.containerEl.createDiv("view-content");
  }

  addAction(icon: string, title: string, callback: (event: MouseEvent) => unknown): HTMLElement {
    const action = createEl("a", "clickable-icon view-action");
    this.actionsEl.prepend(action);
    setIcon(action, icon);
    setTooltip(action, title);
    action.addEventListener("click", (event) => void callback(event));
    return action;
  }

  override async open(parent: HTMLElement): Promise<void> {
    this.titleEl.setText(this.getDisplayText());
    await super.open(parent);
  }
}

/** A new tab. */
export class EmptyView extends ItemView {
  override navigation = true;

  getViewType(): string {
    return "empty";
  }

  getDisplayText(): string {
    return "New tab";
  }

  protected override async onOpen(): Promise<void> {
    this.contentEl.createDiv({ cls: "empty-state", text: "No file is open" });
  }
}

/** Keeps the place of a view whose plugin is off, and its state for when it is on again. */
export class UnknownView extends ItemView {
  constructor(
    leaf: Leaf,
    readonly missing: string,
    readonly state: Record<string, unknown>,
  ) {
    super(leaf);
  }

  getViewType(): string {
    return this.missing;
  }

  getDisplayText(): string {
    return "Plugin no longer active";
  }

  override getState(): Record<string, unknown> {
    return this.state;
  }

  protected override async onOpen(): Promise<void> {
    this.contentEl.createDiv({ cls: "empty-state", text: "Plugin no longer active" });
  }
}
