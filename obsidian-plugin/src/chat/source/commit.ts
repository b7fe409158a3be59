/** A passage out of git, which no file of the vault shows: the change, or the words as they were then. */
import { Modal, type App } from "obsidian";
import { noteName } from "../../place";
import { say } from "../../words";
import { commitOf, shortId, type Sourced } from "./kind";

const SIGNS: Record<string, string> = { "+": "is-added", "-": "is-removed", "@": "is-place" };

export class CommitModal extends Modal {
  constructor(
    app: App,
    private readonly source: Sourced,
    private readonly text: string,
  ) {
    super(app);
  }

  override onOpen(): void {
    const { source, contentEl } = this;
    const commit = commitOf(source);
    const id = shortId(commit?.id ?? "");
    const isChange = commit !== null && commit.repository !== "";
    this.setTitle(isChange ? say("commit.change", { id }) : say("commit.then", { note: noteName(source.path), id }));
    contentEl.addClass("zibaldone-dialog");
    const where = [commit?.repository ?? "", ...source.heading].filter((part) => part !== "").join(" › ");
    if (where) contentEl.createDiv({ cls: "zibaldone-remark", text: where, attr: { dir: "auto" } });
    contentEl.createDiv({ cls: "zibaldone-remark", text: isChange ? source.locator : source.path });
    const hunk = contentEl.createEl("pre", { cls: "zibaldone-hunk", attr: { tabindex: "0" } });
    for (const line of this.text.split("\n"))
      hunk.createDiv({ cls: (isChange && SIGNS[line.charAt(0)]) || "is-same", text: line || " " });
  }

  override onClose(): void {
    this.contentEl.empty();
  }
}
