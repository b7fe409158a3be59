/** A place in a note or another file, and links to it that behave as Obsidian's own: click, new tab, page preview. */
import { Keymap, normalizePath, Notice, type App, type Component, type HoverParent, type TFile } from "obsidian";
import { say } from "./words";

/** The name under which page preview knows the links of this plugin. */
export const HOVER_SOURCE = "zibaldone";

/** `line` counts from 1, as the sidecar does; where it may have moved, it is the one that holds `mark`. */
export interface Place {
  readonly path: string;
  readonly line: number;
  readonly mark?: string;
  readonly page: number | null;
  /** A card of a canvas. */
  readonly node?: string;
}

export interface LinkContext {
  readonly app: App;
  /** Ends the listeners of a link. */
  readonly owner: Component;
  readonly hoverParent: HoverParent;
  /** Told the passage or event (its id) that somebody went to. */
  touched?(target: string): void;
}

type Hittable = { path: string; line_start: number; page: number | null; locator?: string };

export function placeOf(hit: Hittable): Place {
  const node = /(?:^|[?&#])node=([^&]+)/.exec(hit.locator ?? "")?.[1];
  return { path: hit.path, line: hit.line_start, page: hit.page, ...(node === undefined ? {} : { node }) };
}

/** The name of a note as Obsidian shows it. */
export function noteName(path: string): string {
  return withoutExtension(path.slice(path.lastIndexOf("/") + 1));
}

export function withoutExtension(path: string): string {
  return path.replace(/\.md$/, "");
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

export async function openPlace(app: App, place: Place, event: MouseEvent | KeyboardEvent | null): Promise<void> {
  const file = findFile(app, place.path);
  if (!file) {
    new Notice(say(isOutside(place.path) ? "place.outside" : "place.gone", { path: place.path }));
    return;
  }
  const leaf = app.workspace.getLeaf(Keymap.isModEvent(event));
  const state = await stateAt(app, file, place);
  await leaf.openFile(file, { active: true, ...(state ? { eState: state } : {}) });
  if (place.node !== undefined) showNode(leaf.view, place.node);
}

/** Only text has lines. */
async function stateAt(app: App, file: TFile, place: Place): Promise<Record<string, unknown> | null> {
  if (place.page !== null) return { subpath: `#page=${place.page}` };
  return file.extension === "md" ? { line: (await findLine(app, file, place)) - 1 } : null;
}

async function findLine(app: App, file: TFile, { line, mark }: Place): Promise<number> {
  if (mark === undefined) return line;
  const lines = (await app.vault.cachedRead(file)).split("\n");
  return lines.findIndex((text) => text.includes(mark)) + 1 || line;
}

interface CanvasView {
  canvas?: { nodes?: Map<string, unknown>; selectOnly?(node: unknown): void; zoomToSelection?(): void };
}

/** Obsidian has no public way to a card: where this one is another, the canvas is open all the same. */
function showNode(view: unknown, id: string): void {
  if (typeof view !== "object" || view === null || !("canvas" in view)) return;
  const { canvas } = view as CanvasView;
  const node = canvas?.nodes?.get(id);
  if (node === undefined) return;
  canvas?.selectOnly?.(node);
  canvas?.zoomToSelection?.();
}

/** Makes `el` a link to `place`. */
export function linkTo(el: HTMLElement, place: Place, { app, owner, hoverParent }: LinkContext): void {
  onFollow(el, owner, (event) => void openPlace(app, place, event));
  owner.registerDomEvent(el, "mouseover", (event) => {
    const linktext = place.page === null ? place.path : `${place.path}#page=${place.page}`;
    const state = { scroll: place.line - 1 };
    app.workspace.trigger("hover-link", {
      event,
      source: HOVER_SOURCE,
      hoverParent,
      targetEl: el,
      linktext,
      sourcePath: "",
      state,
    });
  });
}

/** A click, or one with the middle button. */
export function onFollow(el: HTMLElement, owner: Component, follow: (event: MouseEvent) => void): void {
  const open = (event: MouseEvent): void => {
    event.preventDefault();
    follow(event);
  };
  owner.registerDomEvent(el, "click", open);
  owner.registerDomEvent(el, "auxclick", (event) => {
    if (event.button === 1) open(event);
  });
}

/** Whether a file lies in a folder beside the vault: `//NAME/...`. */
function isOutside(path: string): boolean {
  return path.startsWith("//");
}

function findFile(app: App, path: string): TFile | null {
  if (isOutside(path)) return null;
  return app.vault.getFileByPath(path) ?? app.vault.getFileByPath(normalizePath(path));
}
