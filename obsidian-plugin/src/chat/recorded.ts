/** Where an answer was written down, in which commit, and how that is taken back. */
import { Component, setIcon } from "obsidian";
import type { Writeback } from "../../../shared-schemas/zibaldone";
import { asFailure, type Failure } from "../failure";
import { showFailure } from "../hint";
import { addButton, type MemoryContext } from "../memory/row";
import { linkTo, withoutExtension } from "../place";
import { say } from "../words";
import { shortId } from "./source/kind";

export interface RecordedParts extends MemoryContext {
  announce(text: string): void;
}

export class Recorded extends Component {
  private readonly el: HTMLElement;
  private content = new Component();

  constructor(
    parent: HTMLElement,
    private readonly written: Writeback,
    private readonly parts: RecordedParts,
  ) {
    super();
    this.el = parent.createDiv({ cls: "zibaldone-recorded zibaldone-remark", attr: { tabindex: "-1" } });
    this.show(false, null);
  }

  private show(undone: boolean, failure: Failure | null): void {
    const focused = this.el.contains(this.el.doc.activeElement);
    this.removeChild(this.content);
    this.content = this.addChild(new Component());
    this.el.empty();
    const { written } = this;
    const line = this.el.createDiv({ cls: "zibaldone-with-icon" });
    setIcon(line.createSpan({ cls: "zibaldone-icon" }), undone ? "rotate-ccw" : written.queued ? "clock" : "check");
    const text = line.createDiv({ attr: { dir: "auto" } });
    text.appendText(say(undone ? "answer.unrecorded" : written.queued ? "answer.waiting" : "answer.recorded"));
    const link = text.createEl("a", { cls: "zibaldone-place-link", href: "#", text: withoutExtension(written.path) });
    linkTo(link, { path: written.path, line: 1, page: null }, { ...this.parts, owner: this.content });
    if (written.reason) text.appendText(` (${written.reason})`);
    if (written.commit !== null && !undone) {
      text.appendText(" · ");
      text.createSpan({ text: `${say("answer.commit")} ` });
      text.createSpan({ cls: "zibaldone-commit", text: shortId(written.commit) });
    }
    if (written.change !== null && !undone) {
      const { change } = written;
      addButton(text, say("noted.undo"), this.el, this.content, async () => await this.undo(change));
    }
    if (failure)
      showFailure(this.el.createDiv({ cls: "zibaldone-failure", attr: { role: "alert" } }), failure, this.content);
    if (focused) this.el.focus();
  }

  private async undo(change: number): Promise<void> {
    try {
      const client = await this.parts.connect();
      await client.undo(change);
      this.show(true, null);
      this.parts.announce(say("answer.unrecorded") + withoutExtension(this.written.path));
    } catch (error) {
      this.show(false, asFailure(error));
    }
  }
}
