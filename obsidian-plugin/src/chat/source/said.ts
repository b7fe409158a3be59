/** What the person said in a conversation, which no file of the vault shows. */
import { Modal, type App } from "obsidian";
import { say } from "../../words";

export class SaidModal extends Modal {
  constructor(
    app: App,
    private readonly text: string,
  ) {
    super(app);
  }

  override onOpen(): void {
    this.setTitle(say("source.said"));
    this.contentEl.addClass("zibaldone-dialog");
    this.contentEl.createEl("blockquote", { cls: "zibaldone-quote", text: this.text, attr: { dir: "auto" } });
    this.contentEl.createDiv({ cls: "zibaldone-remark", text: say("source.saidWhere") });
  }

  override onClose(): void {
    this.contentEl.empty();
  }
}
