/** How thinking about a topic moved, by the history of the notes: step by step, with what stood there before. */
import type { App } from "obsidian";
import type { Evolution, EvolutionStep } from "../../../shared-schemas/zibaldone";
import { diffWords, showPieces } from "../diff";
import { AnswerModal } from "../dialog";
import { linkTo, withoutExtension } from "../place";
import type { SidecarClient } from "../sidecar/client";
import { say } from "../words";

export class EvolutionModal extends AnswerModal<Evolution> {
  constructor(
    app: App,
    private readonly topic: string,
    connect: (signal: AbortSignal) => Promise<SidecarClient>,
  ) {
    super(app, "evolution.title", connect);
  }

  protected override load(client: SidecarClient, signal: AbortSignal): Promise<Evolution> {
    return client.evolution({ topic: this.topic }, signal);
  }

  protected override show(el: HTMLElement, { topic, steps, summary, notes }: Evolution): void {
    el.createDiv({ cls: "zibaldone-remark", text: topic, attr: { dir: "auto" } });
    if (summary) el.createDiv({ cls: "zibaldone-evolution-summary", text: summary, attr: { dir: "auto" } });
    if (steps.length === 0) el.createDiv({ text: say("evolution.none"), attr: { role: "status" } });
    const list = el.createEl("ul", { cls: "zibaldone-entries" });
    for (const step of steps) this.showStep(list.createEl("li", { cls: "zibaldone-entry" }), step);
    for (const note of notes) el.createDiv({ cls: "zibaldone-remark", text: note, attr: { dir: "auto" } });
  }

  private showStep(row: HTMLElement, { date, path, line_start: line, commit, before, after }: EvolutionStep): void {
    const words = row.createDiv({ attr: { dir: "auto" } });
    showPieces(words, diffWords(before?.quote ?? "", after?.quote ?? ""));
    const remark = row.createDiv({ cls: "zibaldone-remark", text: `${date} · ` });
    const link = remark.createEl("a", { cls: "zibaldone-place-link", href: "#", text: withoutExtension(path) });
    linkTo(link, { path, line, page: null }, { app: this.app, owner: this.owner, hoverParent: this });
    remark.appendText(` · ${commit.slice(0, 7)}`);
  }
}
