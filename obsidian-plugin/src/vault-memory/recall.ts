/** Recall: one card at a time. The question first; the answer, with its source, when it is asked for; then how well it went. */
import { Component } from "obsidian";
import type { GradeRequest, RecallNode } from "../../../shared-schemas/zibaldone";
import { asFailure } from "../failure";
import { showFailure } from "../hint";
import type { SidecarClient } from "../sidecar/client";
import { isAbort } from "../sidecar/failure";
import { showEmpty } from "../sidecar-view";
import { say, sayCount, sayDate } from "../words";
import { showEvidence, type NodeContext } from "./node";

type Grade = GradeRequest["grade"];
/** In the order of the keys 1 to 4. */
export const GRADES: readonly Grade[] = ["again", "hard", "good", "easy"];

export interface RecallActions {
  connect(): Promise<SidecarClient>;
  /** From the one card that was asked for to all that are due. */
  showAll(): void;
}

export class RecallPane extends Component {
  private readonly stopper = new AbortController();
  private cards: readonly RecallNode[] = [];
  private at = 0;
  private answered = false;
  private busy = false;
  private content = new Component();
  private readonly status: HTMLElement;
  private readonly body: HTMLElement;

  constructor(
    el: HTMLElement,
    /** The card of this node alone; null: those that are due. */
    private readonly node: string | null,
    private readonly context: NodeContext,
    private readonly actions: RecallActions,
  ) {
    super();
    this.status = el.createDiv({ cls: "zibaldone-remark zibaldone-recall-status", attr: { role: "status" } });
    this.body = el.createDiv({ cls: "zibaldone-recall" });
    this.registerDomEvent(el, "keydown", (event) => this.onKey(event));
    this.register(() => this.stopper.abort());
  }

  override onload(): void {
    void this.fetch();
  }

  private async fetch(): Promise<void> {
    this.draw((el) => void el.createDiv({ cls: "zibaldone-remark", text: say("vaultMemory.recall.loading") }));
    try {
      const client = await this.actions.connect();
      const request = this.node === null ? {} : { node: this.node, all: true, top: 1 };
      this.cards = (await client.recall(request, this.stopper.signal)).recall;
      this.at = 0;
      if (!this.stopper.signal.aborted) this.show();
    } catch (error) {
      this.fail(error);
    }
  }

  private show(): void {
    const card = this.cards[this.at];
    this.answered = false;
    this.draw((el, owner) => (card ? this.showQuestion(el, card, owner) : this.showNone(el, owner)));
  }

  /** More cards can always be made, so it ends here: whoever wants more says so. */
  private showNone(el: HTMLElement, owner: Component): void {
    if (this.cards.length === 0) showEmpty(el, say("vaultMemory.recall.none"), say("vaultMemory.recall.none.detail"));
    else showEmpty(el, sayCount("vaultMemory.recall.done", this.cards.length));
    if (this.cards.length === 0 && this.node === null) return;
    const row = el.createDiv({ cls: "zibaldone-buttons zibaldone-centred" });
    const more = row.createEl("button", { text: say("vaultMemory.recall.more"), attr: { type: "button" } });
    owner.registerDomEvent(more, "click", () => (this.node === null ? void this.fetch() : this.actions.showAll()));
  }

  private showQuestion(el: HTMLElement, card: RecallNode, owner: Component): void {
    const left = this.cards.length - this.at;
    el.createDiv({ cls: "zibaldone-remark", text: sayCount("vaultMemory.recall.left", left) });
    el.createDiv({ cls: "zibaldone-card-question", text: card.question, attr: { dir: "auto" } });
    const row = el.createDiv({ cls: "zibaldone-buttons" });
    const label = say("vaultMemory.recall.answer");
    const show = row.createEl("button", {
      cls: "mod-cta zibaldone-show-answer",
      text: label,
      attr: { type: "button" },
    });
    owner.registerDomEvent(show, "click", () => {
      row.remove();
      this.showAnswer(el, card, owner);
    });
  }

  private showAnswer(el: HTMLElement, card: RecallNode, owner: Component): void {
    this.answered = true;
    el.createDiv({ cls: "zibaldone-card-answer", text: card.answer, attr: { dir: "auto" } });
    const how = el.createDiv({ cls: "zibaldone-remark", text: say("vaultMemory.recall.how") });
    const grades = el.createDiv({ cls: "zibaldone-grades", attr: { role: "group", "aria-label": how.textContent } });
    for (const [at, grade] of GRADES.entries()) {
      const attr = { type: "button", "data-grade": grade, "aria-keyshortcuts": String(at + 1) };
      const button = grades.createEl("button", { cls: "zibaldone-small", attr });
      button.createSpan({ cls: "zibaldone-key", text: String(at + 1), attr: { "aria-hidden": "true" } });
      button.createSpan({ text: say(`vaultMemory.grade.${grade}`) });
      owner.registerDomEvent(button, "click", () => void this.grade(card, grade));
    }
    el.createEl("h3", { cls: "zibaldone-heading", text: say("answer.sources") });
    showEvidence(el, card.evidence, { ...this.context, owner });
    grades.find("button").focus();
  }

  private async grade(card: RecallNode, grade: Grade): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      const client = await this.actions.connect();
      const { due } = await client.gradeCard(card.card, grade, this.stopper.signal);
      this.status.setText(say("vaultMemory.recall.due", { day: sayDate(due.slice(0, 10)) }));
      this.at++;
      this.show();
    } catch (error) {
      this.fail(error);
    } finally {
      this.busy = false;
    }
  }

  private onKey(event: KeyboardEvent): void {
    const grade = GRADES[Number(event.key) - 1];
    const card = this.cards[this.at];
    if (!this.answered || !grade || !card || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    void this.grade(card, grade);
  }

  private fail(error: unknown): void {
    if (isAbort(error) || this.stopper.signal.aborted) return;
    this.draw((el, owner) => showFailure(el.createDiv({ attr: { role: "alert" } }), asFailure(error), owner));
  }

  /** What had the focus is gone then: the first button of what is new has it. */
  private draw(write: (el: HTMLElement, owner: Component) => void): void {
    const held = this.body.contains(this.body.doc.activeElement);
    this.removeChild(this.content);
    this.content = this.addChild(new Component());
    this.body.empty();
    this.body.tabIndex = -1;
    write(this.body, this.content);
    if (held) (this.body.querySelector<HTMLElement>("button") ?? this.body).focus();
  }
}
