/** An empty conversation: what can be asked, and of how much. */
import { Component } from "obsidian";
import type { Status } from "../../../shared-schemas/zibaldone";
import { sayIndex } from "../status/say";
import { say, type Key } from "../words";

const EXAMPLES: readonly Key[] = [
  "welcome.example.decided",
  "welcome.example.when",
  "welcome.example.open",
  "welcome.example.remember",
];

export class Welcome extends Component {
  private readonly el: HTMLElement;
  private readonly index: HTMLElement;

  constructor(parent: HTMLElement, begin: (text: string) => void) {
    super();
    this.el = parent.createDiv({ cls: "zibaldone-welcome" });
    this.el.createDiv({ cls: "zibaldone-welcome-heading", text: say("welcome.heading") });
    this.el.createDiv({ cls: "zibaldone-remark", text: say("welcome.promise") });
    this.el.createDiv({ cls: "zibaldone-remark zibaldone-welcome-memory", text: say("welcome.memory") });
    const examples = this.el.createDiv({ cls: "zibaldone-examples" });
    examples.createDiv({ cls: "zibaldone-heading", text: say("welcome.examples") });
    for (const key of EXAMPLES) {
      const text = say(key);
      const button = examples.createEl("button", { cls: "zibaldone-example", text: `${text.trim()} …` });
      this.registerDomEvent(button, "click", () => begin(text));
    }
    this.index = this.el.createDiv({ cls: "zibaldone-remark zibaldone-welcome-index" });
  }

  update(visible: boolean, status: Status | null): void {
    this.el.toggle(visible);
    this.index.setText(status ? sayIndex(status) : "");
  }
}
