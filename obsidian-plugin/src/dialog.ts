/** A dialog that shows what the sidecar answers to one question, or why it does not. */
import { Component, Keymap, Modal, type App, type HoverParent, type HoverPopover } from "obsidian";
import { asFailure } from "./failure";
import { showFailure } from "./hint";
import type { SidecarClient } from "./sidecar/client";
import { isAbort } from "./sidecar/failure";
import { say, type Key } from "./words";

export abstract class AnswerModal<T> extends Modal implements HoverParent {
  hoverPopover: HoverPopover | null = null;
  /** Ends with the dialog. */
  protected readonly owner = new Component();
  private readonly stopper = new AbortController();

  constructor(
    app: App,
    private readonly heading: Key,
    private readonly connect: (signal: AbortSignal) => Promise<SidecarClient>,
  ) {
    super(app);
  }

  protected client(): Promise<SidecarClient> {
    return this.connect(this.stopper.signal);
  }

  protected abstract load(client: SidecarClient, signal: AbortSignal): Promise<T>;
  protected abstract show(el: HTMLElement, answer: T): void;

  override onOpen(): void {
    this.owner.load();
    this.setTitle(say(this.heading));
    this.contentEl.addClass("zibaldone-dialog");
    this.contentEl.createDiv({ cls: "zibaldone-remark", text: say("dialog.loading"), attr: { role: "status" } });
    // A link leads away from here, unless it opens a tab beside.
    this.owner.registerDomEvent(this.contentEl, "click", (event) => {
      const on = event.targetNode;
      if (on?.instanceOf(Element) && on.closest(".zibaldone-place-link") && !Keymap.isModEvent(event)) this.close();
    });
    void this.fill();
  }

  override onClose(): void {
    this.stopper.abort();
    this.owner.unload();
    this.contentEl.empty();
  }

  private async fill(): Promise<void> {
    const { signal } = this.stopper;
    const { contentEl } = this;
    try {
      const answer = await this.load(await this.client(), signal);
      if (signal.aborted) return;
      contentEl.empty();
      this.show(contentEl, answer);
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      contentEl.empty();
      showFailure(contentEl.createDiv({ attr: { role: "alert" } }), asFailure(error), this.owner);
    }
  }
}
