/** Popped-out windows: real windows of the browser, with Obsidian's helpers in them as in the first one. */
import type { Ledger } from "./ledger";

type Win = Window & typeof globalThis;

interface Migration {
  el: HTMLElement;
  win: Window;
  listener: (win: Window) => unknown;
}

const HELPED = [
  "Node",
  "Element",
  "HTMLElement",
  "SVGElement",
  "Document",
  "DocumentFragment",
  "UIEvent",
  "Array",
  "String",
] as const;

const natural = new Map<string, Set<PropertyKey>>();
const migrations = new Set<Migration>();
const opened = new Set<Window>();
let onOpen: (win: Win) => void = () => undefined;

/** To be called before Obsidian's helpers are installed, so that later it is known which they are. */
export function rememberNatural(): void {
  for (const name of HELPED) natural.set(name, new Set(Reflect.ownKeys(window[name].prototype)));
}

export function preparePopouts(ledger: Ledger, prepare: (win: Win) => void): void {
  onOpen = (win) => {
    ledger.watch(win);
    prepare(win);
  };
}

export function openWindow(): Window {
  const win = window.open("", "_blank", "popup,width=640,height=800") as Win | null;
  if (!win) throw new Error("The browser did not open a window.");
  onOpen(win);
  for (const name of HELPED) copyHelpers(window[name].prototype, win[name].prototype, natural.get(name) ?? new Set());
  win.document.title = "Obsidian";
  for (const style of document.querySelectorAll("link[rel=stylesheet], style"))
    win.document.head.append(win.document.importNode(style, true));
  win.document.body.className = `${document.body.className} is-popout-window`;
  win.document.body.style.cssText = document.body.style.cssText;
  opened.add(win);
  return win;
}

export function closeWindow(win: Window): void {
  opened.delete(win);
  win.close();
}

/** The documents of all windows, the first one's too. */
export function allDocuments(): Document[] {
  return [document, ...[...opened].map((win) => win.document)];
}

export function onWindowMigrated(this: HTMLElement, listener: (win: Window) => unknown): () => void {
  const migration = { el: this, win: this.win, listener };
  migrations.add(migration);
  return () => migrations.delete(migration);
}

/** Tells whoever waits for it in `moved` that it is in another window now. */
export function tellMigrated(moved: HTMLElement, win: Window): void {
  for (const migration of migrations) {
    if (!moved.contains(migration.el) || migration.win === win) continue;
    migration.win = win;
    migration.listener(win);
  }
}

export function onNodeInserted(this: HTMLElement, listener: () => unknown, once = false): () => void {
  let isIn = this.isConnected;
  const observer = new MutationObserver(() => {
    if (this.isConnected && !isIn) {
      listener();
      if (once) observer.disconnect();
    }
    isIn = this.isConnected;
  });
  observer.observe(this.doc, { childList: true, subtree: true });
  return () => observer.disconnect();
}

function copyHelpers(from: object, to: object, known: Set<PropertyKey>): void {
  for (const key of Reflect.ownKeys(from)) {
    const helper = Reflect.getOwnPropertyDescriptor(from, key);
    if (helper && !known.has(key)) Object.defineProperty(to, key, { ...helper, configurable: true });
  }
}
