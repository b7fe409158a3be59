/** The palette. */
import { MarkdownView, type Plugin } from "obsidian";
import { say } from "./words";

export interface Actions {
  openChat(): void;
  /** Opens the chat, limited to this note. */
  askAbout(path: string): void;
  search(): void;
  sync(): void;
  showStatus(): void;
  remember(view: MarkdownView): void;
  showMemory(): void;
  openMemoryPage(): void;
  showAgenda(): void;
}

export function addCommands(plugin: Plugin, actions: Actions): void {
  plugin.addCommand({ id: "open-chat", name: say("command.chat"), callback: () => actions.openChat() });
  plugin.addCommand({
    id: "ask-about-note",
    name: say("command.askNote"),
    checkCallback: (checking) => {
      const file = plugin.app.workspace.getActiveFile();
      if (file?.extension !== "md") return false;
      if (!checking) actions.askAbout(file.path);
      return true;
    },
  });
  plugin.addCommand({ id: "search", name: say("command.search"), callback: () => actions.search() });
  plugin.addCommand({ id: "sync", name: say("command.sync"), callback: () => actions.sync() });
  plugin.addCommand({ id: "show-status", name: say("command.status"), callback: () => actions.showStatus() });
  plugin.addCommand({ id: "show-agenda", name: say("command.agenda"), callback: () => actions.showAgenda() });
  plugin.addCommand({ id: "show-memory", name: say("command.memory"), callback: () => actions.showMemory() });
  plugin.addCommand({
    id: "open-memory-page",
    name: say("command.memoryPage"),
    callback: () => actions.openMemoryPage(),
  });
  plugin.addCommand({
    id: "remember-selection",
    name: say("command.remember"),
    editorCheckCallback: (checking, editor, view) => {
      if (editor.getSelection().trim() === "" || !(view instanceof MarkdownView)) return false;
      if (!checking) actions.remember(view);
      return true;
    },
  });
}
