/** What of the vault can be mentioned: the note that is open, what is selected in it, notes, folders, tags. */
import { getAllTags, MarkdownView, TFolder, type App } from "obsidian";
import { fold } from "../../fold";
import { folderOf, noteName } from "../../place";
import { say } from "../../words";
import { SCOPE_ICONS, sayScope, type Scope } from "../scope";
import { rank, type Named } from "./rank";

export interface Mention extends Named {
  readonly scope: Scope;
  readonly icon: string;
  readonly title: string;
  readonly detail: string;
}

const MOST = 12;
const RECENT = 6;

/** As the vault is when the list is opened; what is typed then is looked for in it. */
export class Mentions {
  private readonly all: Mention[];

  constructor(private readonly app: App) {
    const files = app.vault.getMarkdownFiles().map(({ path }) => mentionOf({ kind: "note", name: path }));
    const folders = app.vault
      .getAllFolders()
      .filter((folder) => !(folder instanceof TFolder && folder.isRoot()))
      .map(({ path }) => mentionOf({ kind: "folder", name: path }));
    const tags = listTags(app).map((name) => mentionOf({ kind: "tag", name }));
    this.all = [...files, ...folders, ...tags];
  }

  find(query: string): Mention[] {
    if (query === "") return this.near();
    if (query.startsWith("#"))
      return rank(
        this.all.filter(({ scope }) => scope.kind === "tag"),
        query.slice(1),
        MOST,
      );
    return rank(this.all, query, MOST);
  }

  /** What one works on. */
  private near(): Mention[] {
    const here = hereScopes(this.app).map(({ scope, what }) => ({ ...mentionOf(scope), detail: what }));
    const [current] = here;
    const recent = this.app.workspace
      .getLastOpenFiles()
      .filter((path) => path.endsWith(".md") && path !== current?.scope.name && this.app.vault.getFileByPath(path))
      .map((path) => mentionOf({ kind: "note", name: path }));
    return [...here, ...recent.slice(0, RECENT)];
  }
}

/** The note that is open, and what is selected in it. */
export function hereScopes(app: App): { scope: Scope; what: string }[] {
  const file = app.workspace.getActiveFile();
  if (file?.extension !== "md") return [];
  const note = { scope: { kind: "note", name: file.path } as const, what: say("scope.current") };
  const view = app.workspace.getMostRecentLeaf()?.view;
  if (!(view instanceof MarkdownView) || view.file !== file || view.editor.getSelection().trim() === "") return [note];
  const [from, to] = [view.editor.getCursor("from"), view.editor.getCursor("to")];
  const last = to.ch === 0 && to.line > from.line ? to.line : to.line + 1;
  const lines = { kind: "lines", name: file.path, first: from.line + 1, last } as const;
  return [note, { scope: lines, what: say("scope.selection") }];
}

function mentionOf(scope: Scope): Mention {
  const { kind, name } = scope;
  const title = kind === "note" ? noteName(name) : kind === "folder" ? name : sayScope(scope);
  const detail = kind === "note" ? folderOf(name) : "";
  return { scope, icon: SCOPE_ICONS[kind], title, detail, name: fold(title.replace(/^#/, "")), path: fold(name) };
}

/** Obsidian counts the tags anyhow, and has no public way to ask for them; without it, each note is looked at. */
function listTags(app: App): string[] {
  const { metadataCache, vault } = app;
  const counted = (metadataCache as unknown as { getTags?: () => Record<string, number> }).getTags?.();
  const tags = counted
    ? Object.keys(counted)
    : vault.getMarkdownFiles().flatMap((file) => {
        const cache = metadataCache.getFileCache(file);
        return (cache && getAllTags(cache)) ?? [];
      });
  return [...new Set(tags.map((tag) => tag.replace(/^#/, "")))];
}
