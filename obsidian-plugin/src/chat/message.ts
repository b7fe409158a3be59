/** One turn on the screen: the question, what is going on, the answer as it grows, and how it ended. */
import { Component } from "obsidian";
import { showHint } from "../hint";
import type { MemoryContext } from "../memory/row";
import { say, sayCount } from "../words";
import { Ending, reasonForNoModel, type EndingActions } from "./ending";
import { watchLinks } from "./links";
import { NotedList, type NotedParts } from "./noted";
import { Question } from "./question";
import { addChips } from "./source/citations";
import { AnswerText } from "./text";
import { isOver, onlyAcknowledges, type Noted, type Turn } from "./turn";
import { AnswerActions } from "./use/actions";
import { findTarget, type Target } from "./use/insert";

export interface MessageParts extends MemoryContext, Pick<NotedParts, "announce"> {
  readonly actions: EndingActions & {
    takeBack(): void;
    stop(): void;
    settle(turn: Turn, index: number, noted: Noted): void;
    /** Asks `question` in the place of the turn's. */
    again(turn: Turn, question: string): void;
  };
  /** The finished answer is on the screen; `watched`: it was not there from the beginning. */
  finished(turn: Turn, watched: boolean): void;
  /** An answer from these passages (ids) was taken over into a note. */
  readonly accepted: (passages: readonly string[]) => void;
}

export class Message extends Component {
  readonly id: number;
  readonly el: HTMLElement;
  private readonly progress: HTMLElement;
  private readonly reason: HTMLElement;
  private readonly noted: NotedList;
  private readonly text: AnswerText;
  private readonly target: Target | null;
  private ending: Ending | null = null;
  private shown: Turn | null = null;

  /** `next`: what it stands before. */
  constructor(
    parent: HTMLElement,
    private readonly parts: MessageParts,
    turn: Turn,
    next: Node | null = null,
  ) {
    super();
    this.id = turn.id;
    this.target = isOver(turn) ? null : findTarget(parts.app);
    this.el = createDiv({ cls: "zibaldone-turn" });
    parent.insertBefore(this.el, next);
    this.addChild(new Question(this.el, turn, (question) => parts.actions.again(turn, question)));
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
    if (isProgress(turn, before)) this.showProgress(turn);
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
    const context = { ...this.parts, owner: this };
    const { answer } = turn;
    const dress = (el: HTMLElement): void => {
      if (answer) addChips(el, answer, context);
    };
    await this.text.finish(said ? "" : turn.text, dress);
    const reason = answer ? reasonForNoModel(answer) : undefined;
    if (this.ending === null) {
      if (reason !== undefined) showHint(this.reason, reason, this);
      this.showActions(said ? { ...turn, text: "" } : turn);
      this.ending = this.addChild(new Ending(this.el, context, this.parts.actions, turn));
    }
    this.parts.finished(turn, watched);
  }

  private showActions(turn: Turn): void {
    const { app, announce, accepted, actions } = this.parts;
    const regenerate = () => actions.again(turn, turn.question);
    this.addChild(new AnswerActions(this.el, { app, announce, accepted, regenerate }, turn, this.target));
  }
}

function isProgress(turn: Turn, before: Turn | null): boolean {
  const keys = ["phase", "notices", "silent", "ahead"] as const;
  return before === null || keys.some((key) => turn[key] !== before[key]);
}

function sayPhase(turn: Turn): string {
  if (turn.ahead > 0 && turn.text === "") return sayCount("turn.ahead", turn.ahead);
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
