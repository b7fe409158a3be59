/** A pane that shows what the sidecar answers, asks again when that may have changed, and says why where it cannot. */
import { Component, ItemView, setIcon, type HoverParent, type HoverPopover, type WorkspaceLeaf } from "obsidian";
import { asFailure } from "./failure";
import { showFailure } from "./hint";
import type { LinkContext } from "./place";
import type { SidecarClient } from "./sidecar/client";
import { isAbort } from "./sidecar/failure";
import type { Supervisor } from "./sidecar/supervisor";
import { sayRestart, sayState } from "./status/say";

export interface ViewParts {
  readonly supervisor: Pick<Supervisor, "state" | "subscribe" | "restart">;
  readonly connect: (signal?: AbortSignal) => Promise<SidecarClient>;
}

export abstract class SidecarView<T> extends ItemView implements HoverParent {
  hoverPopover: HoverPopover | null = null;
  override navigation = false;
  /** Where the answer is shown; what stands above it stays. */
  protected body!: HTMLElement;
  private content = new Component();
  private readonly stopper = new AbortController();
  private asking: Promise<void> | null = null;
  private again = false;
  private shown = "";
  /** The focus was given before there was anything to have it. */
  private wantsFocus = false;

  constructor(
    leaf: WorkspaceLeaf,
    protected readonly parts: ViewParts,
  ) {
    super(leaf);
  }

  protected abstract ask(client: SidecarClient, signal: AbortSignal): Promise<T>;
  /** Draws into an empty element; `owner` ends with what is drawn. */
  protected abstract show(el: HTMLElement, answer: T, owner: Component): void;
  /** Puts the cursor where somebody who came by keyboard goes on. */
  protected focus(): void {
    this.body.querySelector<HTMLElement>("input, .zibaldone-place-link")?.focus();
  }

  override setEphemeralState(state: unknown): void {
    super.setEphemeralState(state);
    if (typeof state !== "object" || state === null || !("focus" in state) || !state.focus) return;
    this.focus();
    this.wantsFocus = !this.body.contains(this.body.doc.activeElement);
  }

  /** Buttons and fields that stay while answers come and go. */
  protected prepare(_bar: HTMLElement): void {}

  protected override async onOpen(): Promise<void> {
    const el = this.contentEl;
    el.addClass("zibaldone-view");
    const header = el.createDiv({ cls: "nav-header" });
    this.body = el.createDiv({ cls: "zibaldone-view-body" });
    this.prepare(header.createDiv({ cls: "nav-buttons-container" }));
    this.register(this.parts.supervisor.subscribe(() => void this.refresh()));
    this.register(() => this.stopper.abort());
    const { workspace } = this.app;
    this.registerEvent(workspace.on("active-leaf-change", (leaf) => leaf === this.leaf && void this.refresh()));
    void this.refresh();
  }

  /**
   * Asks again. What is on the screen stays until the answer is there, and where that is the same. While one question is under
   * way, however many more come to one after it: so there is something new to be seen also while much happens.
   */
  refresh(): Promise<void> {
    this.again = true;
    return (this.asking ??= this.askWhileWanted().finally(() => (this.asking = null)));
  }

  private async askWhileWanted(): Promise<void> {
    while (this.again && !this.stopper.signal.aborted) {
      this.again = false;
      await this.askOnce(this.stopper.signal);
    }
  }

  private async askOnce(signal: AbortSignal): Promise<void> {
    const { state } = this.parts.supervisor;
    if (state.kind !== "ready") return this.showState();
    try {
      const answer = await this.ask(state.client, signal);
      if (signal.aborted) return;
      const text = JSON.stringify(answer);
      if (text === this.shown && text !== undefined) return;
      this.fill((el, owner) => this.show(el, answer, owner), text);
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      this.fill((el, owner) => showFailure(el.createDiv({ attr: { role: "alert" } }), asFailure(error), owner));
    }
  }

  /** A new element with a life of its own in the place of what was there. The scroll and the focus stay where they can. */
  protected fill(write: (el: HTMLElement, owner: Component) => void, shown = ""): void {
    const { scrollTop } = this.body;
    const held = this.body.contains(this.body.doc.activeElement);
    this.shown = shown;
    this.removeChild(this.content);
    this.content = this.addChild(new Component());
    this.body.empty();
    write(this.body, this.content);
    this.body.scrollTop = scrollTop;
    if (!(held || this.wantsFocus) || !shown) return;
    this.wantsFocus = false;
    this.focus();
  }

  /** Of a link within what is drawn. */
  protected link(owner: Component): LinkContext {
    return { app: this.app, owner, hoverParent: this };
  }

  protected addButton(bar: HTMLElement, icon: string, label: string, act: () => void): HTMLElement {
    const attr = { type: "button", "aria-label": label };
    const button = bar.createEl("button", { cls: "clickable-icon nav-action-button", attr });
    setIcon(button, icon);
    this.registerDomEvent(button, "click", act);
    return button;
  }

  private showState(): void {
    const { supervisor } = this.parts;
    const { state } = supervisor;
    this.fill((el, owner) => {
      el.createDiv({ cls: "zibaldone-state-heading", text: sayState(state), attr: { role: "status" } });
      if ("failure" in state) showFailure(el, state.failure, owner);
      if (state.kind === "starting") return;
      const row = el.createDiv({ cls: "zibaldone-buttons" });
      const button = row.createEl("button", { cls: "mod-cta zibaldone-restart", text: sayRestart(state) });
      owner.registerDomEvent(button, "click", () => void supervisor.restart().catch(() => {}));
    });
  }
}

/** The heading of a pane that has nothing to list, and a remark below it. */
export function showEmpty(el: HTMLElement, heading: string, remark = ""): void {
  const empty = el.createDiv({ cls: "zibaldone-empty", attr: { role: "status" } });
  empty.createDiv({ text: heading });
  if (remark) empty.createDiv({ cls: "zibaldone-remark", text: remark });
}

/** Opens the one pane of a type, in the right sidebar unless it lies elsewhere. */
export async function openView(app: ItemView["app"], type: string): Promise<WorkspaceLeaf> {
  const { workspace } = app;
  const leaf = workspace.getLeavesOfType(type)[0] ?? (await workspace.ensureSideLeaf(type, "right", { active: true }));
  await workspace.revealLeaf(leaf);
  workspace.setActiveLeaf(leaf, { focus: true });
  return leaf;
}
