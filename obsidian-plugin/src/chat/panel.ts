/** What the person sees in place of a sidecar that is not there: why, what to do, and a button that does it. */
import { Component } from "obsidian";
import { showFailure } from "../hint";
import type { SidecarState } from "../sidecar/state";
import { sayRestart, sayState } from "../status/say";
import { say, sayCount } from "../words";

export interface PanelActions {
  restart(): void;
  openSettings(): void;
}

export class StatePanel extends Component {
  private readonly el: HTMLElement;
  private content = new Component();
  private shown: SidecarState | null = null;
  private countdown: HTMLElement | null = null;

  constructor(
    parent: HTMLElement,
    private readonly actions: PanelActions,
  ) {
    super();
    this.el = parent.createDiv({ cls: "zibaldone-state", attr: { role: "status" } });
    this.registerInterval(window.setInterval(() => this.count(), 1000));
  }

  update(state: SidecarState): void {
    if (state === this.shown) return;
    this.shown = state;
    this.countdown = null;
    this.removeChild(this.content);
    this.content = this.addChild(new Component());
    this.el.empty();
    this.el.dataset.state = state.kind;
    this.el.toggle(state.kind !== "ready");
    this.el.createDiv({ cls: "zibaldone-state-heading", text: sayState(state) });
    this.showMore(state);
  }

  private showMore(state: SidecarState): void {
    switch (state.kind) {
      case "stopped":
        this.el.createDiv({ cls: "zibaldone-remark", text: say("state.stopped.detail") });
        this.showButtons(state);
        break;
      case "waiting":
        showFailure(this.el, state.failure, this.content);
        // Counts each second: not for a screen reader.
        this.countdown = this.el.createDiv({ cls: "zibaldone-remark", attr: { "aria-live": "off" } });
        this.count();
        this.showButtons(state);
        break;
      case "failed":
        showFailure(this.el, state.failure, this.content);
        this.showButtons(state);
        break;
    }
  }

  private showButtons(state: SidecarState): void {
    const row = this.el.createDiv({ cls: "zibaldone-buttons" });
    const start = row.createEl("button", { cls: "mod-cta zibaldone-restart", text: sayRestart(state) });
    this.content.registerDomEvent(start, "click", () => this.actions.restart());
    const settings = row.createEl("button", { cls: "zibaldone-open-settings", text: say("state.settings") });
    this.content.registerDomEvent(settings, "click", () => this.actions.openSettings());
  }

  private count(): void {
    if (this.shown?.kind !== "waiting" || !this.countdown) return;
    const seconds = Math.max(0, Math.ceil((this.shown.retryAt - Date.now()) / 1000));
    this.countdown.setText(sayCount("state.waiting.detail", seconds));
  }
}
