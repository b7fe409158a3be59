/** A question as it was asked, and the way to ask it otherwise. */
import { Component, setIcon } from "obsidian";
import { excess, refuseFloods } from "../limit";
import { say } from "../words";
import { isComposing, sends } from "./keys";
import { SCOPE_ICONS, sayScope } from "./scope";
import type { Turn } from "./turn";

export class Question extends Component {
  private readonly el: HTMLElement;
  private content = new Component();

  constructor(
    parent: HTMLElement,
    private readonly turn: Turn,
    private readonly ask: (question: string) => void,
  ) {
    super();
    this.el = parent.createDiv({ cls: "zibaldone-question" });
    this.show();
  }

  private show(): HTMLElement {
    this.begin(false);
    const { turn } = this;
    this.el.createSpan({ cls: "zibaldone-hidden", text: say("chat.you") });
    this.el.createDiv({ cls: "zibaldone-question-text", text: turn.question, attr: { dir: "auto" } });
    for (const scope of turn.scopes) {
      const about = this.el.createDiv({ cls: "zibaldone-question-about" });
      setIcon(about.createSpan({ cls: "zibaldone-icon" }), SCOPE_ICONS[scope.kind]);
      about.createSpan({ text: sayScope(scope), attr: { dir: "auto" } });
    }
    const edit = this.el.createEl("button", {
      cls: "clickable-icon zibaldone-edit",
      attr: { type: "button", "aria-label": say("question.edit") },
    });
    setIcon(edit, "pencil");
    this.content.registerDomEvent(edit, "click", () => this.edit());
    return edit;
  }

  private edit(): void {
    this.begin(true);
    const input = this.el.createEl("textarea", {
      cls: "zibaldone-input",
      text: this.turn.question,
      attr: { rows: 1, dir: "auto", "aria-label": say("composer.label") },
    });
    const buttons = this.el.createDiv({ cls: "zibaldone-small-buttons" });
    const send = buttons.createEl("button", { cls: "zibaldone-small mod-cta", text: say("composer.send") });
    const cancel = buttons.createEl("button", { cls: "zibaldone-small", text: say("question.cancel") });
    const check = (): void => {
      send.disabled = input.value.trim() === "" || excess(input.value) > 0;
    };
    const take = (): void => {
      if (!send.disabled) this.ask(input.value); // taken, it goes with this turn; else what was written stays
    };
    const { content } = this;
    content.registerDomEvent(input, "beforeinput", refuseFloods(input, check));
    content.registerDomEvent(input, "input", check);
    content.registerDomEvent(input, "keydown", (event) => {
      if (event.key === "Escape" && !isComposing(event)) this.leave();
      else if (sends(event)) take();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    content.registerDomEvent(send, "click", take);
    content.registerDomEvent(cancel, "click", () => this.leave());
    input.focus();
    input.setSelectionRange(input.value.length, input.value.length);
  }

  private leave(): void {
    this.show().focus();
  }

  private begin(editing: boolean): void {
    this.removeChild(this.content);
    this.content = this.addChild(new Component());
    this.el.empty();
    this.el.toggleClass("is-edited", editing);
  }
}
