/**
 * Brings what was approved into a note. Where the note is open it goes through its editor, so that cursor, selection and undo
 * history stay, and only when nobody is typing; the sidecar then records what it finds there. Everything else the sidecar
 * writes itself, over the content that it knows and with its journal.
 */
import { MarkdownView, type App } from "obsidian";
import type { ProposedFile, ProposedHunk } from "../../../shared-schemas/zibaldone";
import { placeHunks, type Edit } from "./place";
import type { TypingWatch } from "./typing";

/** Whether the note holds the hunks now, by our hand; false: the sidecar is to write them. */
export async function landHunks(
  app: App,
  typing: TypingWatch,
  file: ProposedFile,
  hunks: readonly ProposedHunk[],
): Promise<boolean> {
  if (file.removes) return trash(app, file.path);
  if (file.base_sha256 === null) return false;
  const open = viewsOf(app, file.path);
  if (open.length === 0) return false;
  await typing.pause(file.path);
  const view = viewsOf(app, file.path)[0];
  if (!view) return false;
  // What was typed has to be on disk before anybody writes there.
  if (!(await isSaved(app, view))) await view.save();
  if (typing.isTyping(file.path)) return landHunks(app, typing, file, hunks);
  const exact = file.state === "ready" && (await isSaved(app, view));
  const edits = placeHunks(view.editor.getValue(), hunks, exact);
  if (!edits || typing.isTyping(file.path)) return edits ? landHunks(app, typing, file, hunks) : false;
  typing.land(() => change(view, edits));
  await view.save();
  return true;
}

/** One step of the editor's history. */
function change({ editor }: MarkdownView, edits: readonly Edit[]): void {
  editor.transaction(
    {
      changes: edits.map(({ from, to, text }) => ({
        from: editor.offsetToPos(from),
        to: editor.offsetToPos(to),
        text,
      })),
    },
    "zibaldone",
  );
}

async function trash(app: App, path: string): Promise<boolean> {
  const file = app.vault.getFileByPath(path);
  if (!file) return false;
  await app.fileManager.trashFile(file);
  return true;
}

async function isSaved(app: App, view: MarkdownView): Promise<boolean> {
  return view.file !== null && (await app.vault.read(view.file)) === view.editor.getValue();
}

function viewsOf(app: App, path: string): MarkdownView[] {
  const views = app.workspace.getLeavesOfType("markdown").map(({ view }) => view);
  return views.filter((view): view is MarkdownView => view instanceof MarkdownView && view.file?.path === path);
}
