/** Above the tabs: how far the memory of the vault is, what it lacks, and the buttons that build it, hold it or let it go on. */
import { Component } from "obsidian";
import type { MemoryStats, Status } from "../../../shared-schemas/zibaldone";
import { asFailure } from "../failure";
import { showFailure, showHint } from "../hint";
import { addButton } from "../memory/row";
import type { SidecarClient } from "../sidecar/client";
import { isAbort } from "../sidecar/failure";
import { lacks } from "../status/say";
import { say, sayCount } from "../words";
import { sayStats } from "./told";

export interface HeadActions {
  connect(): Promise<SidecarClient>;
  /** The state is another now. */
  changed(): void;
}

export class Head extends Component {
  private readonly progress: HTMLElement;
  private readonly buttons: HTMLElement;
  private readonly missing: HTMLElement;
  private readonly failed: HTMLElement;
  private content = new Component();
  private shown = "";
  /** While a build of this pane runs. */
  private building: AbortController | null = null;

  constructor(
    private readonly el: HTMLElement,
    private readonly actions: HeadActions,
  ) {
    super();
    el.hide();
    this.progress = el.createDiv({ cls: "zibaldone-remark zibaldone-build-progress", attr: { role: "status" } });
    this.buttons = el.createDiv({ cls: "zibaldone-small-buttons" });
    this.missing = el.createDiv({ cls: "zibaldone-missing" });
    this.failed = el.createDiv({ attr: { role: "alert" } });
    this.register(() => this.building?.abort());
  }

  /** Null: there is no sidecar, which the pane says itself. */
  show(stats: MemoryStats | null, status: Status | null): void {
    this.el.toggle(stats !== null);
    if (!stats) return;
    const text = sayStats(stats);
    if (this.progress.textContent !== text) this.progress.setText(text);
    const lacking = (["embed", "chat"] as const).filter((role) => status && lacks(status, role));
    const told = JSON.stringify([stats.state, isDue(stats), this.building !== null, stats.failed, lacking]);
    if (told === this.shown) return;
    this.shown = told;
    this.removeChild(this.content);
    this.content = this.addChild(new Component());
    this.showButtons(stats);
    this.missing.empty();
    for (const role of lacking) this.showLacking(status?.models[role], role);
    this.showFailed(stats);
  }

  private showButtons(stats: MemoryStats): void {
    const focused = this.buttons.contains(this.buttons.doc.activeElement);
    this.buttons.empty();
    const add = (text: string, act: () => Promise<void>) => addButton(this.buttons, text, this.el, this.content, act);
    if (this.building) add(say("vaultMemory.stop"), async () => this.building?.abort());
    else {
      // What it comes to is told by the state, not by the button.
      add(say("vaultMemory.build"), async () => void this.build()).toggleClass("mod-cta", isDue(stats));
      const paused = stats.state === "paused";
      add(say(paused ? "vaultMemory.resume" : "vaultMemory.pause"), () => this.pause(!paused));
    }
    if (focused) this.buttons.querySelector("button")?.focus();
  }

  private showLacking(model: Status["models"][string] | undefined, role: "chat" | "embed"): void {
    const line = this.missing.createDiv({ cls: "zibaldone-remark" });
    showHint(line, say("lacking.model", { model: model?.model ?? role }), this.content);
    line.appendText(`. ${say(`vaultMemory.without.${role}`)}`);
    if (model?.hint) showHint(this.missing.createDiv({ cls: "zibaldone-failure-hint" }), model.hint, this.content);
  }

  private showFailed({ failed }: MemoryStats): void {
    if (failed.length === 0) return;
    const details = this.missing.createEl("details", { cls: "zibaldone-details" });
    details.createEl("summary", { text: sayCount("vaultMemory.failed", failed.length) });
    const list = details.createEl("ul");
    for (const { path, reason } of failed) list.createEl("li", { text: `${path}: ${reason}`, attr: { dir: "auto" } });
  }

  /** Reads all that waits, now and by the person's wish. */
  async build(): Promise<void> {
    if (this.building) return;
    this.building = new AbortController();
    this.failed.empty();
    this.actions.changed();
    try {
      const client = await this.actions.connect();
      for await (const event of client.buildMemory({}, this.building.signal))
        if (event.type === "failed") this.tell(event.error);
    } catch (error) {
      if (!isAbort(error)) this.tell(asFailure(error));
    }
    this.building = null;
    this.actions.changed();
  }

  private async pause(paused: boolean): Promise<void> {
    this.failed.empty();
    try {
      await (await this.actions.connect()).pauseBuilding(paused);
    } catch (error) {
      this.tell(asFailure(error));
    }
    this.actions.changed();
  }

  private tell(failure: Parameters<typeof showFailure>[1]): void {
    showFailure(this.failed, failure, this);
  }
}

/** Whether there is something to build that nobody is building. */
function isDue({ state, left, built_at: built }: MemoryStats): boolean {
  return state !== "building" && (left > 0 || built === null);
}
