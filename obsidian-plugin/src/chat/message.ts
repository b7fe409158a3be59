/** One turn on the screen: the question, what is going on, the answer as it grows, and how it ended. */
import { Component, setIcon } from "obsidian";
import { showHint } from "../hint";
import type { MemoryContext } from "../memory/row";
import { noteName } from "../place";
import { say, sayCount } from "../words";
import { addChips } from "./citations";
import { Ending, reasonForNoModel, type EndingActions } from "./ending";
import { watchLinks } from "./links";
import { NotedList, type NotedParts } from "./noted";
import { AnswerText } from "./text";
import { isOver, onlyAcknowledges, type Noted, type Turn } from "./turn";

export interface MessageParts extends MemoryContext, Pick<NotedParts, "announce"> {
  readonly actions: EndingActions & {
    takeBack(): void;
    stop(): void;
    settle(turn: Turn, index: number, noted: Noted): void;
  };
  /** The finished answer is on the screen; `watched`: it was not there from the beginning. */
  finished(turn: Turn, watched: boolean): void;
}

export class Message extends Component {
  readonly id: number;
  readonly el: HTMLElement;
  private readonly progress: HTMLElement;
  private readonly reason: HTMLElement;
  private readonly noted: NotedList;
  private readonly text: AnswerText;
  private ending: Ending | null = null;
  private shown: Turn | null = null;

  constructor(
    parent: HTMLElement,
    private readonly parts: MessageParts,
    turn: Turn,
  ) {
    super();
    this.id = turn.id;
    this.el = parent.createDiv({ cls: "zibaldone-turn" });
    this.showQuestion(turn);
    const settle = (index: number, noted: Noted) => parts.actions.settle(turn, index, noted);
    this.noted = this.addChild(new NotedList(this.el, { ...parts, settle }));
    const answer = this.el.createDiv({ cls: "zibaldone-answer" });
    answer.createSpan({ cls: "zibaldone-hidden", text: say("chat.answer") });
    this.reason = answer.createDiv({ cls: "zibaldone-remark zibaldone-reason", attr: { dir: "auto" } });
    this.text = this.addChild(new AnswerText(answer, parts.app));
    this.progress = answer.createDiv({ cls: "zibaldone-progress" });
    watchLinks(answer, { ...parts, owner: this });
    this.register(() => this.el.remove());
  }

  update(turn: Turn): void {
    if (turn === this.shown) return;
    const before = this.shown;
    this.shown = turn;
    this.el.toggleClass("is-queued", turn.phase === "queued");
    this.el.toggleClass("is-running", !isOver(turn));
    this.noted.update(turn.noted, before !== null);
    if (before && isOver(before)) return;
    if (isOver(turn)) void this.finish(turn, before !== null);
    else if (turn.text !== before?.text) this.text.stream(turn.text);
    const { phase, notices, silent } = turn;
    if (phase !== before?.phase || notices !== before.notices || silent !== before.silent) this.showProgress(turn);
  }

  private showQuestion(turn: Turn): void {
    const box = this.el.createDiv({ cls: "zibaldone-question" });
    box.createSpan({ cls: "zibaldone-hidden", text: say("chat.you") });
    box.createDiv({ cls: "zibaldone-question-text", text: turn.question, attr: { dir: "auto" } });
    if (turn.about === null) return;
    const about = box.createDiv({ cls: "zibaldone-question-about" });
    setIcon(about.createSpan({ cls: "zibaldone-icon" }), "file-text");
    about.createSpan({ text: noteName(turn.about) });
  }

  private showProgress(turn: Turn): void {
    this.progress.empty();
    if (isOver(turn)) return;
    if (turn.phase === "queued") {
      this.progress.createSpan({ text: say("turn.queued") });
      const button = this.progress.createEl("button", { cls: "zibaldone-take-back", text: say("turn.dequeue") });
      this.registerDomEvent(button, "click", () => this.parts.actions.takeBack());
      return;
    }
    const notice = turn.notices.at(-1);
    if (notice !== undefined) showHint(this.progress.createDiv({ cls: "zibaldone-notice" }), notice, this);
    if (turn.silent) this.showSilence();
    else this.progress.createDiv({ cls: "zibaldone-busy", text: sayPhase(turn) });
  }

  private showSilence(): void {
    this.progress.createDiv({ text: say("turn.silent") });
    const button = this.progress.createEl("button", { cls: "zibaldone-action", text: say("composer.stop") });
    this.registerDomEvent(button, "click", () => this.parts.actions.stop());
  }

  private async finish(turn: Turn, watched: boolean): Promise<void> {
    // Where nothing was found the sidecar's sentence says less than the words below it.
    const said = turn.answer?.abstained || onlyAcknowledges(turn);
    const el = await this.text.finish(said ? "" : turn.text);
    const context = { ...this.parts, owner: this };
    const reason = turn.answer ? reasonForNoModel(turn.answer) : undefined;
    if (reason !== undefined && this.ending === null) showHint(this.reason, reason, this);
    if (turn.answer) addChips(el, turn.answer.citations, context);
    this.ending ??= this.addChild(new Ending(this.el, context, this.parts.actions, turn));
    this.parts.finished(turn, watched);
  }
}

function sayPhase(turn: Turn): string {
  switch (turn.phase) {
    case "connecting":
      return say("turn.connecting");
    case "reading":
      return sayCount("turn.reading", turn.hits.length);
    case "writing":
      return say("turn.writing");
    default:
      return say("turn.searching");
  }
}
