/** The first steps: what is needed before the first answer, one after the other, each done here or shown as a command. */
import { Component, ItemView, setIcon, type WorkspaceLeaf } from "obsidian";
import { asFailure, type Failure } from "../failure";
import { showFailure, showHint } from "../hint";
import type { SidecarClient } from "../sidecar/client";
import type { Supervisor } from "../sidecar/supervisor";
import { sayState, sayProgressOf, sayRestart } from "../status/say";
import type { StatusWatch } from "../status/watch";
import { say } from "../words";
import { findSubjects, listCandidates } from "./question";
import { planSteps, type Step, type StepName } from "./steps";

export const FIRST_RUN_VIEW = "zibaldone-first-steps";
const LOOK_MS = 1000;
const ICONS = {
  done: "circle-check",
  now: "circle",
  working: "loader-2",
  optional: "circle-help",
  later: "circle",
} as const;

export interface FirstRunParts {
  readonly supervisor: Pick<Supervisor, "state" | "subscribe" | "restart">;
  readonly status: Pick<StatusWatch, "last" | "subscribe" | "look" | "pace">;
  connect(): Promise<SidecarClient>;
  /** Makes the vault a git repository, with the program that was found. */
  init(): Promise<void>;
  /** Opens the chat with this in its composer. */
  draft(question: string): void;
  openSettings(): void;
  /** They need not come again by themselves. */
  done(): void;
}

export class FirstRunView extends ItemView {
  override navigation = false;
  override icon = "message-square-quote";
  private content = new Component();
  private shown = "";
  private failure: Failure | null = null;
  /** Null until one was looked for; empty where none was found. */
  private question: string | null = null;
  private looking = false;

  constructor(
    leaf: WorkspaceLeaf,
    private readonly parts: FirstRunParts,
  ) {
    super(leaf);
  }

  override getViewType(): string {
    return FIRST_RUN_VIEW;
  }

  override getDisplayText(): string {
    return say("firstRun.title");
  }

  protected override async onOpen(): Promise<void> {
    const { supervisor, status } = this.parts;
    const el = this.contentEl;
    el.addClass("zibaldone-first-run");
    for (const source of [supervisor, status]) this.register(source.subscribe(() => this.draw()));
    this.registerInterval(window.setInterval(() => status.look(), LOOK_MS));
    this.draw();
  }

  private draw(): void {
    const { supervisor, status } = this.parts;
    const steps = planSteps(supervisor.state, status.last);
    const progress = status.last ? sayProgressOf(status.last, status.pace.left, false) : "";
    const key = JSON.stringify([steps, supervisor.state.kind, progress, this.failure, this.question]);
    if (key === this.shown) return;
    this.shown = key;
    if (this.question === null && !this.looking && steps.at(-1)?.state === "now") void this.findQuestion();
    this.removeChild(this.content);
    this.content = this.addChild(new Component());
    const el = this.contentEl;
    el.empty();
    const page = el.createDiv({ cls: "zibaldone-first-run-page" });
    page.createEl("h2", { text: say("firstRun.heading") });
    page.createDiv({ cls: "zibaldone-remark", text: say("firstRun.promise") });
    const list = page.createEl("ol", { cls: "zibaldone-steps" });
    for (const step of steps) this.showStep(list, step, progress);
    const foot = page.createDiv({ cls: "zibaldone-buttons" });
    this.addButton(foot, say(steps.at(-1)?.state === "now" ? "firstRun.close" : "firstRun.skip"), () => this.leave());
  }

  private showStep(list: HTMLElement, { name, state }: Step, progress: string): void {
    const row = list.createEl("li", { cls: `zibaldone-step is-${state}`, attr: { "data-step": name } });
    if (state === "now" || state === "working") row.setAttribute("aria-current", "step");
    setIcon(
      row.createSpan({ cls: "zibaldone-icon", attr: { "aria-label": say(`firstRun.state.${state}`) } }),
      ICONS[state],
    );
    const body = row.createDiv({ cls: "zibaldone-step-body" });
    body.createDiv({ cls: "zibaldone-step-name", text: say(`firstRun.step.${name}`) });
    const details = body.createDiv({ cls: "zibaldone-step-details" });
    if (state === "now" || state === "working" || state === "optional") this.show[name](details, progress);
    if (this.failure && state === "now")
      showFailure(details.createDiv({ attr: { role: "alert" } }), this.failure, this.content);
  }

  private readonly show: Record<StepName, (el: HTMLElement, progress: string) => void> = {
    program: (el) => this.showProgram(el),
    git: (el) => {
      if (!this.parts.status.last) return el.setText(say("dialog.loading"));
      el.createDiv({ cls: "zibaldone-remark", text: say("firstRun.git.why") });
      const row = el.createDiv({ cls: "zibaldone-buttons" });
      this.addButton(row, say("firstRun.git.init"), () => void this.init()).addClass("mod-cta");
      showHint(el.createDiv({ cls: "zibaldone-remark" }), say("firstRun.git.command"), this.content);
    },
    models: (el) => {
      const models = Object.values(this.parts.status.last?.models ?? {});
      el.createDiv({ cls: "zibaldone-remark", text: say("firstRun.models.why") });
      for (const { state, hint } of models)
        if (state === "missing" && hint) showHint(el.createDiv({ cls: "zibaldone-remark" }), hint, this.content);
    },
    index: (el, progress) => void el.createDiv({ cls: "zibaldone-remark", text: progress, attr: { role: "status" } }),
    question: (el) => {
      const text = this.question;
      if (text === null) return void el.createDiv({ cls: "zibaldone-remark", text: say("firstRun.question.looking") });
      el.createDiv({ cls: "zibaldone-remark", text: say(text ? "firstRun.question.try" : "firstRun.question.any") });
      const row = el.createDiv({ cls: "zibaldone-buttons" });
      const ask = this.addButton(row, text || say("command.chat"), () => {
        this.parts.draft(text);
        this.parts.done();
      });
      ask.addClasses(["mod-cta", "zibaldone-first-question"]);
    },
  };

  private showProgram(el: HTMLElement): void {
    const { supervisor } = this.parts;
    const { state } = supervisor;
    el.createDiv({ cls: "zibaldone-remark", text: say("firstRun.program.why") });
    if (state.kind === "starting") return void el.createDiv({ text: sayState(state), attr: { role: "status" } });
    if ("failure" in state) showFailure(el, state.failure, this.content);
    const row = el.createDiv({ cls: "zibaldone-buttons" });
    const restart = this.addButton(row, sayRestart(state), () => void supervisor.restart().catch(() => {}));
    restart.addClasses(["mod-cta", "zibaldone-restart"]);
    this.addButton(row, say("state.settings"), () => this.parts.openSettings());
  }

  private async init(): Promise<void> {
    this.failure = null;
    try {
      await this.parts.init();
    } catch (error) {
      this.failure = asFailure(error);
    }
    this.draw();
  }

  private async findQuestion(): Promise<void> {
    this.looking = true;
    // Where none is found, the person asks what they like.
    this.question = (await this.searchQuestion().catch(() => null)) ?? "";
    this.draw();
  }

  /** One to which the search finds the note that it was made of. */
  private async searchQuestion(): Promise<string | null> {
    const client = await this.parts.connect();
    const { vault } = this.app;
    const notes = vault.getMarkdownFiles().map(({ path, basename, stat }) => ({ path, name: basename, ...stat }));
    for (const { path, name } of listCandidates(notes, new Set((await client.coverage()).indexed))) {
      const file = vault.getFileByPath(path);
      const [subject] = file ? findSubjects(await vault.cachedRead(file)) : [];
      if (subject === undefined) continue;
      const question = say("firstRun.question.about", { note: name, subject });
      const { abstain, hits } = await client.search({ query: question, k: 1 });
      if (!abstain && hits[0]?.path === path) return question;
    }
    return null;
  }

  private leave(): void {
    this.parts.done();
    this.leaf.detach();
  }

  private addButton(row: HTMLElement, text: string, act: () => void): HTMLElement {
    const button = row.createEl("button", { text, attr: { type: "button", dir: "auto" } });
    this.content.registerDomEvent(button, "click", act);
    return button;
  }
}
