/** What stands below an answer: why there is none, what is not sure, the sources, and where it was recorded. */
import { Component, setIcon } from "obsidian";
import type { Answer, Hit } from "../../../shared-schemas/zibaldone";
import type { Failure } from "../failure";
import { showFailure, showHint } from "../hint";
import type { LinkContext } from "../place";
import type { LocalCode } from "../sidecar/failure";
import { say } from "../words";
import { showMeter } from "./meter";
import { Recorded, type RecordedParts } from "./recorded";
import { showPlace, showSources } from "./source/citations";
import { showWhy } from "./source/why";
import { lacksNote, type Turn } from "./turn";
import { Used } from "./used";

/** Passages that are listed where there is no answer. */
const CLOSEST = 3;
/** Failures of the sidecar as a whole: what to do about them stands in the panel that shows its state. */
const IN_PANEL: ReadonlySet<string> = new Set<LocalCode>([
  "zib_missing",
  "not_started",
  "crashed",
  "gave_up",
  "protocol_mismatch",
  "wrong_vault",
]);

export interface EndingActions {
  retry(turn: Turn): void;
  /** The same question, not limited to a note. */
  askAll(turn: Turn): void;
}

/** The sidecar's note on why it only quotes. It stands above the answer, not among the details. */
export function reasonForNoModel({ model, notes }: Answer): string | undefined {
  return model === "none" ? notes.find((note) => note.startsWith("No model wrote this answer")) : undefined;
}

export class Ending extends Component {
  private readonly el: HTMLElement;
  private readonly context: LinkContext & RecordedParts;

  constructor(
    parent: HTMLElement,
    context: RecordedParts,
    private readonly actions: EndingActions,
    turn: Turn,
  ) {
    super();
    this.el = parent.createDiv({ cls: "zibaldone-ending" });
    this.context = { ...context, owner: this };
    if (turn.phase === "stopped") this.showStopped(turn);
    if (turn.failure) this.showFailed(turn, turn.failure);
    if (turn.answer) this.showAnswer(turn.answer);
  }

  private showStopped(turn: Turn): void {
    const box = this.el.createDiv({ cls: "zibaldone-stopped" });
    box.createDiv({ cls: "zibaldone-remark", text: say("turn.stopped") });
    this.showButton(box, say("turn.retry"), () => this.actions.retry(turn));
  }

  private showFailed(turn: Turn, failure: Failure): void {
    const box = this.el.createDiv({ cls: "zibaldone-failure" });
    const elsewhere = IN_PANEL.has(failure.code);
    showFailure(box, elsewhere ? { message: failure.message, hint: "" } : failure, this);
    if (lacksNote(turn)) this.showButton(box, say("composer.askAll"), () => this.actions.askAll(turn));
    if (elsewhere || failure.retryable) this.showButton(box, say("turn.retry"), () => this.actions.retry(turn));
  }

  private showAnswer(answer: Answer): void {
    if (answer.abstained) this.showAbstention(answer);
    if (answer.not_covered) this.showRemark("info", say("answer.notCovered", { what: answer.not_covered }));
    if (answer.unsupported_claims.length > 0 && !answer.abstained) this.showUnsupported(answer.unsupported_claims);
    if (answer.citations.length > 0) showSources(this.el, answer, this.context);
    this.showRecord(answer);
    if (answer.memory_used.length > 0) this.addChild(new Used(this.el, answer.memory_used, this.context));
    if (answer.hits.length > 0) showWhy(this.el, answer, this.context);
    showMeter(this.el, answer, this);
    this.showDetails(answer);
  }

  private showAbstention(answer: Answer): void {
    const box = this.el.createDiv({ cls: "zibaldone-abstention" });
    box.createDiv({ text: say(`abstained.${answer.abstention_reason ?? "weak_retrieval"}`) });
    const closest = answer.hits.slice(0, CLOSEST);
    const next = closest.length > 0 ? "abstained.next" : "abstained.nextNone";
    box.createDiv({ cls: "zibaldone-remark", text: say(next) });
    const searched = say("abstained.searched", { words: answer.searched_as ?? answer.question });
    box.createDiv({ cls: "zibaldone-remark", text: searched, attr: { dir: "auto" } });
    if (closest.length === 0) return;
    this.el.createDiv({ cls: "zibaldone-heading", text: say("answer.closest") });
    const list = this.el.createEl("ul", { cls: "zibaldone-sources zibaldone-closest" });
    for (const hit of closest) this.showHit(list, hit);
  }

  private showHit(list: HTMLElement, hit: Hit): void {
    const body = list.createEl("li", { cls: "zibaldone-source" }).createDiv({ cls: "zibaldone-source-body" });
    showPlace(body, hit, { text: hit.text, id: hit.chunk_id }, this.context);
    body.createEl("blockquote", { cls: "zibaldone-quote", text: hit.text, attr: { dir: "auto" } });
  }

  private showUnsupported(claims: readonly string[]): void {
    this.showRemark("info", say("answer.unsupported"));
    const list = this.el.createEl("ul", { cls: "zibaldone-unsupported" });
    for (const claim of claims) list.createEl("li", { text: claim, attr: { dir: "auto" } });
  }

  private showRecord({ writeback, writeback_error: failure }: Answer): void {
    if (failure) this.showRemark("alert-triangle", [failure.message, failure.hint].filter(Boolean).join(" "));
    if (writeback) this.addChild(new Recorded(this.el, writeback, this.context));
  }

  private showDetails(answer: Answer): void {
    const seconds = Math.round(answer.timing.total_ms / 100) / 10;
    const model =
      answer.model === "none" ? say("answer.noModel") : say("answer.model", { model: answer.model, seconds });
    const notes = answer.notes.filter((note) => note !== reasonForNoModel(answer));
    // What is no question is answered by no model.
    const told = [...(answer.route === "chat" ? [] : [model]), ...notes];
    if (told.length === 0) return;
    const details = this.el.createEl("details", { cls: "zibaldone-details" });
    details.createEl("summary", { text: say("answer.details") });
    for (const text of told) showHint(details.createDiv({ attr: { dir: "auto" } }), text, this);
  }

  private showRemark(icon: string, text: string): void {
    const line = this.el.createDiv({ cls: "zibaldone-remark zibaldone-with-icon", attr: { dir: "auto" } });
    setIcon(line.createSpan({ cls: "zibaldone-icon" }), icon);
    showHint(line.createSpan(), text, this);
  }

  private showButton(box: HTMLElement, text: string, action: () => void): void {
    const button = box.createEl("button", { cls: "zibaldone-action", text, attr: { type: "button" } });
    this.registerDomEvent(button, "click", action);
  }
}
