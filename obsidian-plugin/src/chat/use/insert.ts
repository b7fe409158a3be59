/** Puts an answer where the cursor was when the question was asked, however the person has moved on since. */
import { MarkdownView, type App, type Editor, type TFile } from "obsidian";
import { findAnchor, makeAnchor, type Anchor } from "./anchor";

/** The file stays the same object when it is renamed. */
export interface Target {
  readonly file: TFile;
  readonly anchor: Anchor;
}

/** Where the cursor is in the note that was worked on last; null: there is none. */
export function findTarget(app: App): Target | null {
  const view = app.workspace.getMostRecentLeaf()?.view;
  if (!(view instanceof MarkdownView) || !view.file) return null;
  const { editor, file } = view;
  return { file, anchor: makeAnchor(editor.getValue(), editor.posToOffset(editor.getCursor("to"))) };
}

/** Whether the place was still there. In an open note as an edit that can be taken back, with the cursor where it is. */
export async function insertAt(app: App, { file, anchor }: Target, text: string): Promise<boolean> {
  if (app.vault.getFileByPath(file.path) !== file) return false;
  const editor = editorOf(app, file);
  if (editor) {
    const offset = findAnchor(editor.getValue(), anchor);
    if (offset === null) return false;
    editor.replaceRange(text, editor.offsetToPos(offset));
    return true;
  }
  let found = false;
  await app.vault.process(file, (data) => {
    const offset = findAnchor(data, anchor);
    found = offset !== null;
    return offset === null ? data : data.slice(0, offset) + text + data.slice(offset);
  });
  return found;
}

function editorOf(app: App, file: TFile): Editor | null {
  for (const { view } of app.workspace.getLeavesOfType("markdown"))
    if (view instanceof MarkdownView && view.file === file) return view.editor;
  return null;
}
