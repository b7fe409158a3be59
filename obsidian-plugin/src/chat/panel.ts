/** What the person sees where the sidecar or its models are not there: why, and what to do about it. */
import { Component } from "obsidian";
import type { Status } from "../../../shared-schemas/zibaldone";
import { showFailure, showHint } from "../hint";
import type { SidecarState } from "../sidecar/state";
import { lacks, sayRestart, sayState } from "../status/say";
import { say, sayCount } from "../words";

export interface PanelActions {
  restart(): void;
  openSettings(): void;
}

interface Lacking {
  readonly role: "chat" | "embed";
  readonly model: string;
  readonly hint: string;
}

export class StatePanel extends Component {
  private readonly el: HTMLElement;
  private content = new Component();
  private shown: SidecarState | null = null;
  private lacking = "";
  private countdown: HTMLElement | null = null;

  constructor(
    parent: HTMLElement,
    private readonly actions: PanelActions,
  ) {
    super();
    this.el = parent.createDiv({ cls: "zibaldone-state", attr: { role: "status" } });
    this.registerInterval(window.setInterval(() => this.count(), 1000));
  }

  update(state: SidecarState, status: Status | null): void {
    const lacking = state.kind === "ready" ? listLacking(status) : [];
    const key = JSON.stringify(lacking);
    if (state === this.shown && key === this.lacking) return;
    this.shown = state;
    this.lacking = key;
    this.countdown = null;
    this.removeChild(this.content);
    this.content = this.addChild(new Component());
    this.el.empty();
    this.el.dataset.state = lacking.length > 0 ? "lacking" : state.kind;
    this.el.toggle(state.kind !== "ready" || lacking.length > 0);
    if (lacking.length > 0) this.showLacking(lacking);
    else this.el.createDiv({ cls: "zibaldone-state-heading", text: sayState(state) });
    this.showMore(state);
  }

  private showLacking(lacking: readonly Lacking[]): void {
    const [first] = lacking;
    const heading = first && lacking.length === 1 ? say("lacking.model", { model: first.model }) : say("lacking.all");
    this.el.createDiv({ cls: "zibaldone-state-heading", text: heading });
    const meanwhile = lacking.map(({ role }) => say(`lacking.without.${role}`)).join(" ");
    this.el.createDiv({ cls: "zibaldone-remark", text: meanwhile });
    this.el.createDiv({ cls: "zibaldone-failure-hint", text: say("lacking.hint") });
    for (const hint of joinPulls(lacking.map((one) => one.hint))) {
      showHint(this.el.createDiv({ cls: "zibaldone-failure-hint" }), hint, this.content);
    }
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

function listLacking(status: Status | null): Lacking[] {
  return (["chat", "embed"] as const).flatMap((role) => {
    const told = status?.models[role];
    return status && told && lacks(status, role) ? [{ role, model: told.model ?? role, hint: told.hint ?? "" }] : [];
  });
}

/** One command for all models that can be pulled; other hints as they are. */
function joinPulls(hints: readonly string[]): string[] {
  const pull = "zib models pull ";
  const names = hints.filter((hint) => hint.startsWith(pull)).map((hint) => hint.slice(pull.length));
  const others = hints.filter((hint) => hint !== "" && !hint.startsWith(pull));
  return names.length > 0 ? [pull + names.join(" "), ...others] : others;
}
