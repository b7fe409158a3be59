/** "Remember selection": hands it to the sidecar and says where it was written. */
import { Notice, type App, type Component, type Editor } from "obsidian";
import type { RememberRequest, Remembered } from "../../shared-schemas/zibaldone";
import { asFailure } from "./failure";
import { showFailure } from "./hint";
import { entryPlace } from "./memory/entries";
import { folderOf, openPlace, withoutExtension } from "./place";
import type { SidecarClient } from "./sidecar/client";
import { say } from "./words";

const SHOWN_MS = 8000;

/** The selection with its lines, counted from 1; a selection that ends at the start of a line does not include it. */
export function selectionOf(editor: Editor, path: string | null): RememberRequest {
  const from = editor.getCursor("from");
  const to = editor.getCursor("to");
  const last = to.ch === 0 && to.line > from.line ? to.line - 1 : to.line;
  return { text: editor.getSelection().trim(), note_path: path, line_start: from.line + 1, line_end: last + 1 };
}

export async function remember(
  app: App,
  connect: () => Promise<SidecarClient>,
  request: RememberRequest,
  owner: Component,
): Promise<void> {
  try {
    const client = await connect();
    showRemembered(app, await client.remember(request), owner);
  } catch (error) {
    new Notice(
      createFragment((el) => showFailure(el.createDiv(), asFailure(error), owner)),
      0,
    );
  }
}

function showRemembered(app: App, { entry, path, queued, already }: Remembered, owner: Component): void {
  const words = already ? "remember.already" : queued ? "remember.queued" : "remember.done";
  const message = createFragment((el) => {
    el.appendText(say(words));
    const link = el.createEl("a", { href: "#", text: withoutExtension(path), cls: "zibaldone-place-link" });
    owner.registerDomEvent(link, "click", (event) => {
      event.preventDefault();
      void openPlace(app, entryPlace(entry, folderOf(path)), event);
    });
  });
  new Notice(message, SHOWN_MS);
}
