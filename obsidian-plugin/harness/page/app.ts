/** The page: Obsidian's window with everything in its place, and `window.harness` for the tests to hold it by. */
import type { PluginManifest } from "obsidian";
import { setup } from "obsidian-test-mocks/setup";
import { App as MockApp, TFile, type TAbstractFile } from "obsidian-test-mocks/obsidian";
import { Commands } from "./commands";
import { setIcon } from "./functions";
import { type Counts, Ledger } from "./ledger";
import { addCodeBlock } from "./markdown";
import { connected, installNode, requireNode } from "./node";
import * as obsidian from "./obsidian";
import { noticed } from "./overlays";
import { cliHandlers, evaluate, protocolHandlers, type Plugin } from "./plugin";
import { allDocuments, onNodeInserted, onWindowMigrated, preparePopouts, rememberNatural } from "./popout";
import { type Hovered, hovered, startPreview } from "./preview";
import { listenForKeys } from "./scope";
import { Settings } from "./settings";
import type { App } from "./types";
import { FileSystemAdapter, loadVault } from "./vault";
import { Workspace } from "./workspace";

export interface Harness {
  app: App;
  notices: string[];
  hovers: Hovered[];
  /** What no text may bring about: a script that ran, a window or address that was opened. */
  alarms: string[];
  /** Promises of the plugin that failed and that nobody caught, and its exceptions. */
  errors: string[];
  ready: Promise<void>;
  loadPlugin(): Promise<void>;
  unloadPlugin(): void;
  /** What lives in the windows and in the app: a plugin that has gone leaves none of its own. */
  counts(): Counts & { leaves: number; commands: number; appEvents: number; elements: number };
  /** As `obsidian://ACTION?...` that somebody clicked on a web page. */
  openUri(action: string, parameters: Record<string, string>): void;
  /** As `obsidian COMMAND name=value` in a terminal. */
  runCli(command: string, data: Record<string, string>): Promise<string>;
  /** The menu of the selection or of a file, as a right click opens it. */
  openMenu(path: string | null): void;
  /** Markdown as it stands, made by nobody inert. */
  render(markdown: string): Promise<void>;
  show(look: { theme?: "light" | "dark"; width?: number }): void;
}

declare global {
  interface Window {
    harness: Harness;
    alarm(what: string): void;
  }
}

const ledger = new Ledger();
ledger.watch(window);
rememberNatural();
setup();
installNode(window);
HTMLElement.prototype.onWindowMigrated = onWindowMigrated;
HTMLElement.prototype.onNodeInserted = onNodeInserted;

const adapter = new FileSystemAdapter();
const app: App = MockApp.create__(adapter, "harness") as never;
let plugin: Plugin | null = null;

buildWindow();

const harness: Harness = {
  app,
  notices: noticed,
  hovers: hovered,
  alarms: [],
  errors: [],
  ready: start(),
  loadPlugin,
  unloadPlugin() {
    plugin?.unload();
    plugin = null;
  },
  counts() {
    let leaves = 0;
    app.workspace.iterateAllLeaves(() => leaves++);
    const commands = Object.keys(app.commands.commands).length;
    const sources = [app.vault, app.workspace, app.metadataCache] as unknown as { _: Record<string, unknown[]> }[];
    const appEvents = sources.flatMap((source) => Object.values(source._)).reduce((sum, { length }) => sum + length, 0);
    const elements = document.querySelectorAll(
      ".status-bar-item, .side-dock-ribbon-action, .modal-container, style",
    ).length;
    return { ...ledger.count(), leaves, commands, appEvents, elements };
  },
  openUri: (action, parameters) => void protocolHandlers.get(action)?.({ action, ...parameters }),
  runCli: async (command, data) => (await cliHandlers.get(command)?.(data)) ?? `no command ${command}`,
  openMenu(path) {
    const menu = new obsidian.Menu();
    const { workspace, vault } = app;
    if (path === null) workspace.trigger("editor-menu", menu, workspace.activeEditor?.editor, workspace.activeEditor);
    else workspace.trigger("file-menu", menu, vault.getFileByPath(path), "file-explorer");
    menu.showAtPosition({ x: 200, y: 200 });
  },
  async render(markdown) {
    const owner = new obsidian.Component();
    await obsidian.MarkdownRenderer.render(app, markdown, document.body.createDiv(), "", owner);
  },
  show({ theme, width }) {
    for (const { body } of allDocuments()) {
      if (theme) body.removeClasses(["theme-dark", "theme-light"]);
      if (theme) body.addClass(`theme-${theme}`);
      if (width) body.setCssProps({ "--right-width": `${width}px` });
    }
    app.workspace.trigger("css-change");
    app.workspace.trigger("resize");
  },
};
window.harness = harness;
watchForAlarms(window);
preparePopouts(ledger, (win) => {
  installNode(win);
  watchForAlarms(win);
  listenForKeys(win, activeScope);
});
window.addEventListener("error", ({ message }) => harness.errors.push(message));
window.addEventListener("unhandledrejection", ({ reason }) => harness.errors.push(String(reason)));

async function start(): Promise<void> {
  await connected;
  await loadVault(app, adapter);
  await countTags();
  keepProperties();
  fillExplorer();
  for (const event of ["create", "rename", "delete"] as const) app.vault.on(event, fillExplorer);
  startPreview(app);
  app.workspace.becomeReady();
}

/** Files that are read at a time. */
const AT_ONCE = 50;

/** The cache of the mocks is empty; of the tags, those of the notes as they are at the start. */
async function countTags(): Promise<void> {
  const tags: Record<string, number> = {};
  const texts: string[] = [];
  const files = app.vault.getMarkdownFiles();
  for (let at = 0; at < files.length; at += AT_ONCE)
    texts.push(...(await Promise.all(files.slice(at, at + AT_ONCE).map((file) => app.vault.read(file)))));
  for (const text of texts) {
    const listed = /^tags: \[([^\]]*)\]$/m.exec(text)?.[1]?.split(/,\s*/) ?? [];
    for (const tag of listed) tags[`#${tag}`] = (tags[`#${tag}`] ?? 0) + 1;
  }
  Object.assign(app.metadataCache, { getTags: () => tags });
}

/** Of the properties those of one word, of the notes that are made or changed from now on. */
function keepProperties(): void {
  const kept = new Map<string, { frontmatter: Record<string, string> }>();
  const { vault, metadataCache } = app;
  const read = async (file: TAbstractFile): Promise<void> => {
    if (!(file instanceof TFile) || file.extension !== "md") return;
    const block = /^---\n(.*?)\n---\n/s.exec(await vault.read(file))?.[1] ?? "";
    const fields = [...block.matchAll(/^(\w+): (\S+)$/gm)].map(([, name = "", value = ""]) => [name, value] as const);
    kept.set(file.path, { frontmatter: Object.fromEntries(fields) });
  };
  for (const event of ["create", "modify"] as const) vault.on(event, (file) => void read(file as TAbstractFile));
  Object.assign(metadataCache, { getFileCache: (file: TFile) => kept.get(file.path) ?? null });
}

const bundle = Promise.all(
  ["main", "styles", "manifest"].map(async (name) => await (await fetch(`/plugin/${name}`)).text()),
);

async function loadPlugin(): Promise<void> {
  const [main, styles, manifest] = await bundle;
  performance.mark("plugin-begins");
  const Loaded = evaluate(main ?? "", (name) => (name === "obsidian" ? obsidian : requireNode(name)));
  plugin = new Loaded(app, JSON.parse(manifest ?? "") as PluginManifest);
  const style = document.head.createEl("style", { text: styles ?? "" });
  plugin.register(() => style.remove());
  await plugin.start();
  performance.measure("plugin-load", "plugin-begins");
}

function buildWindow(): void {
  const theme = new URLSearchParams(window.location.search).get("theme") ?? "light";
  document.body.className = `theme-${theme} mod-linux is-frameless obsidian-app`;
  const main = document.body.createDiv("app-container").createDiv("horizontal-main-container");
  const workspaceEl = main.createDiv("workspace");
  const ribbon = workspaceEl.createDiv("workspace-ribbon side-dock-ribbon mod-left");
  for (const icon of ["search", "folder", "book-open"]) setIcon(ribbon.createDiv("clickable-icon"), icon);
  const explorer = workspaceEl.createDiv("workspace-split mod-left-split").createDiv("nav-files-container");
  explorer.addEventListener("click", ({ target }) => {
    const file = app.vault.getFileByPath((target as HTMLElement).dataset["path"] ?? "");
    if (file) void app.workspace.getLeaf().openFile(file);
  });
  document.body.find(".app-container").createDiv("status-bar");
  const device = {
    loadLocalStorage: (key: string) => JSON.parse(localStorage.getItem(`harness-${key}`) ?? "null") as unknown,
    saveLocalStorage: (key: string, value: unknown) => {
      if (value === null || value === undefined) localStorage.removeItem(`harness-${key}`);
      else localStorage.setItem(`harness-${key}`, JSON.stringify(value));
    },
    isDarkMode: () => document.body.hasClass("theme-dark"),
  };
  Object.assign(app, device, { commands: new Commands(app), setting: new Settings(app) });
  app.workspace = new Workspace(app, workspaceEl);
  Object.assign(window, { app });
  listenForKeys(window, activeScope);
}

function activeScope() {
  return app.workspace.activeLeaf?.view.scope ?? null;
}

/** Obsidian's explorer draws what is in view alone. */
const MOST_LISTED = 300;

/** A stub of the file explorer: folders and notes, of which a click opens one. */
function fillExplorer(): void {
  const list = document.body.find(".nav-files-container");
  list.empty();
  const files = app.vault.getFiles().sort((a, b) => (a.path < b.path ? -1 : 1));
  let folder = "";
  for (const file of files.slice(0, MOST_LISTED)) {
    const parent = file.path.split("/").slice(0, -1).join("/");
    if (parent !== folder) list.createDiv({ cls: "nav-folder-title", text: (folder = parent) });
    list.createDiv({
      cls: `nav-file-title${parent ? " is-nested" : ""}`,
      text: file.basename,
      attr: { "data-path": file.path },
    });
  }
}

/** Obsidian would open these in the system's browser, or run them; here they are only written down. */
function watchForAlarms(win: Window & typeof globalThis): void {
  win.alarm = (what) => harness.alarms.push(what);
  win.addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest?.("a[href]");
    if (!link) return;
    const href = link.getAttribute("href") ?? "";
    if (!/^[a-z][a-z0-9+.-]*:/i.test(href)) return event.preventDefault();
    if (!event.defaultPrevented) win.alarm(`opened ${href}`);
    event.preventDefault();
  });
  // A neighbour that runs code from any text that is rendered as Markdown.
  if (win !== window) return;
  for (const language of ["dataviewjs", "js-engine"])
    addCodeBlock(language, (source) => (new Function(source) as () => unknown)());
}
