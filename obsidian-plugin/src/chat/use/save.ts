/** A new note: its name is shown, and can be changed, before it is written. */
import { normalizePath, type App, type TFile } from "obsidian";

const LONGEST = 80;

/** What every system takes as the name of a file, and Obsidian as that of a link. */
export function noteTitle(text: string): string {
  const [line = ""] = text.trim().split("\n");
  const clean = line
    .replace(/[\\/:|]/g, "-")
    .replace(/[*?"<>#^[\]\p{C}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return clean.slice(0, LONGEST).replace(/^[.\s-]+|[.\s-]+$/g, "");
}

/** A path that is free, with the title as it is or with a number. */
export function freePath(app: App, folder: string, title: string): string {
  const base = normalizePath(folder === "" || folder === "/" ? title : `${folder}/${title}`);
  let path = `${base}.md`;
  for (let number = 1; app.vault.getAbstractFileByPath(path) !== null; number++) path = `${base} ${number}.md`;
  return path;
}

export async function createNote(app: App, path: string, content: string): Promise<TFile> {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  let at = "";
  for (const part of folder.split("/").filter((one) => one !== "")) {
    at = at === "" ? part : `${at}/${part}`;
    if (!app.vault.getFolderByPath(at)) await app.vault.createFolder(at);
  }
  const file = await app.vault.create(path, content);
  await app.workspace.getLeaf("tab").openFile(file);
  return file;
}
