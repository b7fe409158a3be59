/** The palette. */
import { MarkdownView, type App, type Editor, type Plugin, type TFile } from "obsidian";
import { canIngest } from "./note/ingest";
import type { MemoryTab } from "./vault-memory/view";
import { say } from "./words";

export interface Actions {
  openChat(): void;
  /** Opens the chat, limited to this note. */
  askAbout(path: string): void;
  /** Opens the chat with a text in the composer to ask about. */
  askSelection(text: string): void;
  /** Asks at once, of this note alone. */
  summarise(path: string): void;
  search(): void;
  sync(): void;
  showStatus(): void;
  remember(editor: Editor, path: string | null): void;
  showMemory(): void;
  openMemoryPage(): void;
  /** Without a tab: where it was. */
  showVaultMemory(tab?: MemoryTab): void;
  writeConceptNotes(): void;
  showAgenda(): void;
  showRelated(file?: TFile): void;
  suggestLinks(path: string): void;
  ingest(file: TFile): void;
  showEvolution(topic: string): void;
  showProposals(): void;
  showCoverage(): void;
  undoLast(): void;
  togglePause(): void;
  showFirstRun(): void;
}

export function addCommands(plugin: Plugin, actions: Actions): void {
  addPlain(plugin, actions);
  addForNote(plugin, actions);
  addForSelection(plugin, actions);
}

function addPlain(plugin: Plugin, actions: Actions): void {
  const add = (id: string, name: string, callback: () => void): void => void plugin.addCommand({ id, name, callback });
  add("open-chat", say("command.chat"), () => actions.openChat());
  add("search", say("command.search"), () => actions.search());
  add("sync", say("command.sync"), () => actions.sync());
  add("pause-indexing", say("command.pause"), () => actions.togglePause());
  add("show-status", say("command.status"), () => actions.showStatus());
  add("show-coverage", say("command.coverage"), () => actions.showCoverage());
  add("show-agenda", say("command.agenda"), () => actions.showAgenda());
  add("show-related", say("command.related"), () => actions.showRelated());
  add("show-proposals", say("command.proposals"), () => actions.showProposals());
  add("undo-last-change", say("command.undo"), () => actions.undoLast());
  add("show-memory", say("command.memory"), () => actions.showMemory());
  add("open-memory-page", say("command.memoryPage"), () => actions.openMemoryPage());
  add("show-vault-memory", say("command.vaultMemory"), () => actions.showVaultMemory());
  add("show-forgetting", say("command.forgetting"), () => actions.showVaultMemory("forgetting"));
  add("show-recall", say("command.recall"), () => actions.showVaultMemory("recall"));
  add("write-concept-notes", say("command.conceptNotes"), () => actions.writeConceptNotes());
  add("show-first-steps", say("command.firstRun"), () => actions.showFirstRun());
}

function addForNote(plugin: Plugin, actions: Actions): void {
  const add = (id: string, name: string, fits: (file: TFile) => boolean, act: (file: TFile) => void): void => {
    const checkCallback = (checking: boolean): boolean => {
      const file = plugin.app.workspace.getActiveFile();
      if (!file || !fits(file)) return false;
      if (!checking) act(file);
      return true;
    };
    plugin.addCommand({ id, name, checkCallback });
  };
  const isNote = ({ extension }: TFile): boolean => extension === "md";
  add("ask-about-note", say("command.askNote"), isNote, ({ path }) => actions.askAbout(path));
  add("summarise-note", say("command.summarise"), isNote, ({ path }) => actions.summarise(path));
  add("suggest-links", say("command.links"), isNote, ({ path }) => actions.suggestLinks(path));
  add("ingest-file", say("command.ingest"), canIngest, (file) => actions.ingest(file));
  add("show-evolution", say("command.evolution"), isNote, (file) => actions.showEvolution(topicOf(plugin.app, file)));
}

/** What is selected, or the name of the note. */
export function topicOf({ workspace }: App, file: TFile): string {
  return workspace.activeEditor?.editor?.getSelection().trim() || file.basename;
}

function addForSelection(plugin: Plugin, actions: Actions): void {
  const add = (id: string, name: string, act: (editor: Editor, path: string | null) => void): void => {
    plugin.addCommand({
      id,
      name,
      editorCheckCallback: (checking, editor, view) => {
        if (editor.getSelection().trim() === "" || !(view instanceof MarkdownView)) return false;
        if (!checking) act(editor, view.file?.path ?? null);
        return true;
      },
    });
  };
  add("ask-about-selection", say("command.askSelection"), (editor) =>
    actions.askSelection(editor.getSelection().trim()),
  );
  add("remember-selection", say("command.remember"), (editor, path) => actions.remember(editor, path));
}
