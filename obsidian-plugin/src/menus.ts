/** What Zibaldone can do with a selection, in the editor's menu, and with a file, in the file's. */
import { TFile, type Menu, type Plugin } from "obsidian";
import type { Actions } from "./commands";
import { canIngest } from "./note/ingest";
import { say, type Key } from "./words";

export function addMenus(plugin: Plugin, actions: Actions): void {
  const { workspace } = plugin.app;
  plugin.registerEvent(
    workspace.on("editor-menu", (menu, editor, info) => {
      const text = editor.getSelection().trim();
      if (text === "") return;
      add(menu, "command.askSelection", "message-square-quote", () => actions.askSelection(text));
      add(menu, "command.remember", "brain", () => actions.remember(editor, info.file?.path ?? null));
      add(menu, "command.evolution", "history", () => actions.showEvolution(text));
    }),
  );
  plugin.registerEvent(
    workspace.on("file-menu", (menu, file) => {
      if (!(file instanceof TFile)) return;
      if (file.extension === "md") {
        add(menu, "menu.ask", "message-square-quote", () => actions.askAbout(file.path));
        add(menu, "menu.summarise", "list-collapse", () => actions.summarise(file.path));
        add(menu, "command.related", "waypoints", () => actions.showRelated(file));
        add(menu, "command.links", "link", () => actions.suggestLinks(file.path));
      }
      if (canIngest(file)) add(menu, "command.ingest", "file-input", () => actions.ingest(file));
    }),
  );
}

function add(menu: Menu, words: Key, icon: string, act: () => void): void {
  menu.addItem((item) => item.setTitle(say(words)).setIcon(icon).setSection("zibaldone").onClick(act));
}
