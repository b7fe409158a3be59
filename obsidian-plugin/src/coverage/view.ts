/** What became of each note in the index: by state, with the reason, and with what can be tried again. */
import { Notice, type Component, type WorkspaceLeaf } from "obsidian";
import type { Coverage } from "../../../shared-schemas/zibaldone";
import { asFailure, sayFailure } from "../failure";
import { addButton } from "../memory/row";
import { linkTo } from "../place";
import type { SidecarClient } from "../sidecar/client";
import { showEmpty, SidecarView, type ViewParts } from "../sidecar-view";
import type { StatusWatch } from "../status/watch";
import { sayProgressOf } from "../status/say";
import { Tabs } from "../tabs";
import { say, sayCount } from "../words";
import { listCoverage, STATES, type CoveredNote, type CoverState } from "./list";

export const COVERAGE_VIEW = "zibaldone-coverage";
/** Rows that are drawn; a vault can have thousands of notes. */
const MOST_ROWS = 200;

export interface CoverageParts extends ViewParts {
  readonly status: Pick<StatusWatch, "last" | "subscribe" | "look" | "pace">;
  readonly paused: () => boolean;
  pause(paused: boolean): Promise<void>;
}

export class CoverageView extends SidecarView<Coverage> {
  override icon = "list-checks";
  private chosen: CoverState | null = null;
  private query = "";
  private progress!: HTMLElement;
  private pauseButton!: HTMLElement;

  constructor(
    leaf: WorkspaceLeaf,
    private readonly all: CoverageParts,
  ) {
    super(leaf, all);
  }

  override getViewType(): string {
    return COVERAGE_VIEW;
  }

  override getDisplayText(): string {
    return say("coverage.title");
  }

  protected override prepare(bar: HTMLElement): void {
    this.addButton(bar, "refresh-cw", say("status.refresh"), () => void this.refresh());
    this.pauseButton = bar.createEl("button", { cls: "zibaldone-small zibaldone-pause", attr: { type: "button" } });
    this.registerDomEvent(this.pauseButton, "click", () => void this.togglePause());
    this.progress = createDiv({ cls: "zibaldone-remark zibaldone-coverage-progress", attr: { role: "status" } });
    this.body.before(this.progress);
    let seen = "";
    const look = (): void => {
      this.showProgress();
      const now = JSON.stringify(this.all.status.last?.notes);
      if (now !== seen) void this.refresh();
      seen = now;
    };
    this.register(this.all.status.subscribe(look));
    this.showProgress();
  }

  protected override ask(client: SidecarClient, signal: AbortSignal): Promise<Coverage> {
    return client.coverage(signal);
  }

  protected override show(el: HTMLElement, coverage: Coverage, owner: Component): void {
    const notes = listCoverage(coverage);
    const holder = el.createDiv();
    const label = say("coverage.search");
    const attr = { type: "search", placeholder: label, "aria-label": label };
    const search = holder.createEl("input", { cls: "zibaldone-memory-search", value: this.query, attr });
    const list = holder.createDiv();
    const draw = (): void => {
      list.empty();
      this.showRows(list, notes, owner);
    };
    // What went wrong is what somebody comes here for.
    this.chosen ??=
      (["failed", "skipped", "pending"] as const).find((state) => notes.some((note) => note.state === state)) ??
      "indexed";
    const tabs = STATES.map((name) => ({
      name,
      text: say(`coverage.${name}`),
      count: notes.filter((note) => note.state === name).length,
    }));
    new Tabs(holder, say("coverage.title"), tabs, this.chosen, owner, (name) => {
      this.chosen = name;
      draw();
    });
    owner.registerDomEvent(search, "input", () => {
      this.query = search.value;
      draw();
    });
    draw();
  }

  private showRows(el: HTMLElement, notes: readonly CoveredNote[], owner: Component): void {
    const words = this.query.trim().toLowerCase();
    const here = notes.filter((note) => note.state === this.chosen && note.path.toLowerCase().includes(words));
    if (here.length === 0) return showEmpty(el, say("coverage.none"));
    if (this.chosen === "failed" && here.length > 1) {
      const row = el.createDiv({ cls: "zibaldone-buttons" });
      addButton(row, say("coverage.retryAll"), row, owner, () => this.retry(here.map(({ path }) => path)));
    }
    const list = el.createEl("ul", { cls: "zibaldone-entries" });
    for (const { path, reason, state } of here.slice(0, MOST_ROWS)) {
      const row = list.createEl("li", { cls: "zibaldone-entry" });
      const link = row.createEl("a", { cls: "zibaldone-place-link", href: "#", text: path, attr: { dir: "auto" } });
      linkTo(link, { path, line: 1, page: null }, this.link(owner));
      const below = row.createDiv({ cls: "zibaldone-entry-row" });
      below.createSpan({ cls: "zibaldone-remark", text: reason, attr: { dir: "auto" } });
      if (state === "failed" || state === "pending")
        addButton(below.createDiv({ cls: "zibaldone-small-buttons" }), say("coverage.retry"), row, owner, () =>
          this.retry([path]),
        );
    }
    const more = here.length - MOST_ROWS;
    if (more > 0) el.createDiv({ cls: "zibaldone-remark", text: sayCount("status.more", more) });
  }

  private async retry(paths: string[]): Promise<void> {
    try {
      const client = await this.all.connect();
      for await (const event of client.sync({ paths }, new AbortController().signal))
        if (event.type === "failed") throw new Error(event.error.message);
    } catch (error) {
      new Notice(sayFailure(asFailure(error)));
    }
    this.all.status.look();
    await this.refresh();
  }

  private async togglePause(): Promise<void> {
    await this.all.pause(!this.all.paused());
    this.showProgress();
    await this.refresh();
  }

  private showProgress(): void {
    const { last, pace } = this.all.status;
    const paused = this.all.paused();
    this.pauseButton.setText(say(paused ? "coverage.resume" : "coverage.pause"));
    this.progress.setText(last ? sayProgressOf(last, pace.left, paused) : "");
  }
}
