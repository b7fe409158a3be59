/** Everything that the sidecar reports of itself, in one dialog. */
import { Component, Modal, setIcon, type App } from "obsidian";
import type { Status } from "../../../shared-schemas/zibaldone";
import { asFailure } from "../failure";
import { showFailure } from "../hint";
import type { Supervisor } from "../sidecar/supervisor";
import { say } from "../words";
import { showStatus } from "./report";
import { sayRestart, sayState } from "./say";
import type { StatusWatch } from "./watch";

export class StatusModal extends Modal {
  private content = new Component();
  private report: HTMLElement | null = null;
  private shown = "";

  constructor(
    app: App,
    private readonly supervisor: Pick<Supervisor, "state" | "subscribe" | "restart">,
    private readonly watch: StatusWatch,
  ) {
    super(app);
  }

  override onOpen(): void {
    this.content.load();
    this.modalEl.addClass("zibaldone-status-modal");
    this.setTitle(say("status.title"));
    this.report = this.contentEl.createDiv({ cls: "zibaldone-status" });
    const row = this.contentEl.createDiv({ cls: "modal-button-container" });
    const refresh = row.createEl("button", { cls: "zibaldone-refresh" });
    setIcon(refresh.createSpan({ cls: "zibaldone-icon" }), "refresh-cw");
    refresh.createSpan({ text: say("status.refresh") });
    this.content.registerDomEvent(refresh, "click", () => void this.refresh());
    this.content.register(this.supervisor.subscribe(() => void this.refresh()));
    if (this.watch.last) this.show(this.watch.last);
    void this.refresh();
  }

  override onClose(): void {
    this.content.unload();
    this.contentEl.empty();
  }

  private async refresh(): Promise<void> {
    const { state } = this.supervisor;
    if (state.kind !== "ready") {
      this.fill((el, owner) => {
        el.createDiv({ cls: "zibaldone-state-heading", text: sayState(state) });
        if ("failure" in state) showFailure(el, state.failure, owner);
        if (state.kind === "starting") return;
        const row = el.createDiv({ cls: "zibaldone-buttons" });
        const button = row.createEl("button", { cls: "mod-cta zibaldone-restart", text: sayRestart(state) });
        owner.registerDomEvent(button, "click", () => void this.supervisor.restart().catch(() => {}));
      });
      return;
    }
    try {
      const status = await state.client.status();
      this.watch.take(status);
      this.show(status);
    } catch (error) {
      this.fill((el, owner) => showFailure(el, asFailure(error), owner));
    }
  }

  private show(status: Status): void {
    const { state } = this.supervisor;
    // What is the same stays, with the lists that the person opened in it.
    const text = JSON.stringify(status);
    if (text === this.shown) return;
    this.fill((el, owner) => showStatus(el, status, state.kind === "ready" && state.owned, owner), text);
  }

  private fill(write: (el: HTMLElement, owner: Component) => void, shown = ""): void {
    if (!this.report) return;
    this.shown = shown;
    this.report.empty();
    write(this.report, this.content);
  }
}
