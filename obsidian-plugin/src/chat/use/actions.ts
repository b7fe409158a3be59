/** What can be done with an answer: small buttons below it. */
import { Component, Notice, setIcon, type App } from "obsidian";
import { asFailure, sayFailure } from "../../failure";
import { NameModal } from "../../name";
import { noteName } from "../../place";
import { say } from "../../words";
import { citedPassages } from "../source/citations";
import type { Turn } from "../turn";
import { findTarget, insertAt, type Target } from "./insert";
import { answerMarkdown } from "./markdown";
import { createNote, freePath, noteTitle } from "./save";

export interface AnswerUses {
  readonly app: App;
  /** For who does not see it. */
  announce(text: string): void;
  regenerate(turn: Turn): void;
  /** The answer, which is from these passages (ids), stands in a note now. */
  readonly accepted: (passages: readonly string[]) => void;
}

export class AnswerActions extends Component {
  private readonly el: HTMLElement;

  /** `target`: where the cursor was when the question was asked; null for an answer of before. */
  constructor(
    parent: HTMLElement,
    private readonly uses: AnswerUses,
    private readonly turn: Turn,
    private readonly target: Target | null,
  ) {
    super();
    this.el = parent.createDiv({ cls: "zibaldone-uses", attr: { role: "group" } });
    this.el.createSpan({ cls: "zibaldone-hidden", text: say("use.group") });
    if (turn.text.trim() !== "") {
      this.add("copy", say("use.copy"), () => this.copy());
      const where = target ? say("use.insertAt", { note: noteName(target.file.path) }) : say("use.insert");
      this.add("text-cursor-input", where, () => this.insert());
      this.add("file-plus", say("use.newNote"), async () => this.askName());
    }
    // What came to nothing has a button of its own for that.
    if (turn.phase === "answered")
      this.add("refresh-cw", say("use.regenerate"), async () => this.uses.regenerate(turn), "zibaldone-regenerate");
  }

  private add(icon: string, label: string, action: () => Promise<unknown>, cls = ""): void {
    const attr = { type: "button", "aria-label": label };
    const button = this.el.createEl("button", { cls: `clickable-icon ${cls}`.trim(), attr });
    setIcon(button, icon);
    this.registerDomEvent(button, "click", () => {
      action().catch((error: unknown) => new Notice(sayFailure(asFailure(error))));
    });
  }

  private async copy(): Promise<void> {
    await this.el.win.navigator.clipboard.writeText(answerMarkdown(this.uses.app, this.turn));
    this.tell(say("use.copied"));
  }

  private async insert(): Promise<void> {
    const { app } = this.uses;
    const target = this.target ?? findTarget(app);
    if (!target) return this.tell(say("use.noNote"));
    const note = noteName(target.file.path);
    const done = await insertAt(app, target, answerMarkdown(app, this.turn, target.file.path));
    if (done) this.accept();
    else await this.copy();
    this.tell(say(done ? "use.inserted" : "use.placeGone", { note }));
  }

  private askName(): void {
    const { app } = this.uses;
    const folder = app.fileManager.getNewFileParent(app.workspace.getActiveFile()?.path ?? "").path;
    const pathOf = (name: string) => (noteTitle(name) === "" ? null : freePath(app, folder, noteTitle(name)));
    new NameModal(app, {
      title: say("use.newNote"),
      label: say("save.name"),
      proposed: noteTitle(this.turn.question),
      action: say("save.create"),
      preview: pathOf,
      take: (name) => {
        const content = `${answerMarkdown(app, this.turn)}\n`;
        createNote(app, pathOf(name) ?? "", content).then(
          () => this.accept(),
          (error: unknown) => new Notice(sayFailure(asFailure(error))),
        );
      },
    }).open();
  }

  private accept(): void {
    if (this.turn.answer) this.uses.accepted(citedPassages(this.turn.answer));
  }

  private tell(text: string): void {
    new Notice(text);
    this.uses.announce(text);
  }
}
