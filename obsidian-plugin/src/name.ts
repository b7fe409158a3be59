/** Asks for a name, with one proposed. */
import { Modal, type App } from "obsidian";
import { say } from "./words";

interface Asked {
  readonly title: string;
  readonly label: string;
  readonly proposed: string;
  readonly action: string;
  /** What comes of a name, to be read before it does; null: it is none. */
  preview(name: string): string | null;
  take(name: string): void;
}

export class NameModal extends Modal {
  constructor(
    app: App,
    private readonly asked: Asked,
  ) {
    super(app);
  }

  override onOpen(): void {
    const { title, label, proposed, action } = this.asked;
    this.setTitle(title);
    this.contentEl.addClass("zibaldone-dialog");
    const form = this.contentEl.createEl("form", { cls: "zibaldone-name" });
    const input = form.createEl("input", {
      type: "text",
      value: proposed,
      attr: { "aria-label": label, dir: "auto", enterkeyhint: "done" },
    });
    const preview = form.createDiv({ cls: "zibaldone-remark", attr: { role: "status", dir: "auto" } });
    const buttons = form.createDiv({ cls: "modal-button-container" });
    const take = buttons.createEl("button", { cls: "mod-cta", text: action, attr: { type: "submit" } });
    const cancel = buttons.createEl("button", { text: say("name.cancel"), attr: { type: "button" } });
    const show = (): void => {
      const shown = this.asked.preview(input.value);
      preview.setText(shown ?? say("name.empty"));
      take.disabled = shown === null;
    };
    input.addEventListener("input", show);
    cancel.addEventListener("click", () => this.close());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.asked.preview(input.value) === null) return;
      this.close();
      this.asked.take(input.value);
    });
    show();
    input.focus();
    input.select();
  }

  override onClose(): void {
    this.contentEl.empty();
  }
}
