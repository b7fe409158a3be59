/** Taking back a change of the vault: from the notice that told of it, or the last one, after a look at what it was. */
import { Modal, Notice, type App, type Component } from "obsidian";
import type { ChangeSummary } from "../../../shared-schemas/zibaldone";
import { asFailure, sayFailure } from "../failure";
import { withoutExtension } from "../place";
import type { SidecarClient } from "../sidecar/client";
import { say, sayWhen } from "../words";

const SHOWN_MS = 8000;
const LOOKED_BACK = 50;

type Connect = () => Promise<SidecarClient>;

/** Says what was done, with a button that takes it back. */
export function tellUndoable(text: string, change: number, connect: Connect, owner: Component): Notice {
  return new Notice(
    createFragment((el) => {
      el.createDiv({ text });
      const button = el.createEl("button", { cls: "zibaldone-small zibaldone-undo", text: say("noted.undo") });
      owner.registerDomEvent(button, "click", () => void undo(change, connect));
    }),
    SHOWN_MS,
  );
}

async function undo(change: number, connect: Connect): Promise<void> {
  try {
    const { paths } = await (await connect()).undo(change);
    new Notice(say("undo.done", { notes: paths.map(withoutExtension).join(", ") }));
  } catch (error) {
    new Notice(sayFailure(asFailure(error)), 0);
  }
}

/** "Undo last change": shows what it was first. */
export async function undoLast(app: App, connect: Connect, open: (modal: Modal) => void): Promise<void> {
  try {
    const { changes } = await (await connect()).changes(LOOKED_BACK);
    const last = changes.find(({ state, undoes, kind }) => state === "written" && undoes === null && kind !== "pull");
    if (last) open(new UndoModal(app, last, connect));
    else new Notice(say("undo.nothing"));
  } catch (error) {
    new Notice(sayFailure(asFailure(error)));
  }
}

export class UndoModal extends Modal {
  constructor(
    app: App,
    private readonly change: ChangeSummary,
    private readonly connect: Connect,
  ) {
    super(app);
  }

  override onOpen(): void {
    const { contentEl, change } = this;
    this.setTitle(say("undo.title"));
    contentEl.addClass("zibaldone-dialog");
    contentEl.createDiv({ text: change.message, attr: { dir: "auto" } });
    contentEl.createDiv({ cls: "zibaldone-remark", text: sayWhen(change.at) });
    const list = contentEl.createEl("ul");
    for (const path of change.paths) list.createEl("li", { text: path, attr: { dir: "auto" } });
    contentEl.createDiv({ cls: "zibaldone-remark", text: say("undo.kept") });
    const row = contentEl.createDiv({ cls: "modal-button-container" });
    const yes = row.createEl("button", { cls: "mod-cta zibaldone-undo-now", text: say("undo.now") });
    yes.addEventListener("click", () => {
      this.close();
      void undo(change.id, this.connect);
    });
    row.createEl("button", { text: say("undo.cancel") }).addEventListener("click", () => this.close());
    yes.focus();
  }
}
