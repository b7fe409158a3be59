/** What the pane does on a command: of its toolbar, or behind a slash. */
import { Component, Notice, type App, type Modal, type TFile } from "obsidian";
import { topicOf } from "../commands";
import { asFailure, sayFailure } from "../failure";
import { isAbort } from "../sidecar/failure";
import { say } from "../words";
import { HistoryModal } from "./history/modal";
import type { CommandName } from "./suggest/commands";
import { hereScopes } from "./suggest/mentions";
import { saveChat } from "./use/saveChat";
import type { ChatParts } from "./view";

export class Commands extends Component {
  private readonly closing = new AbortController();
  private dialog: Modal | null = null;

  constructor(
    private readonly app: App,
    private readonly parts: ChatParts,
    /** Puts the beginning of a message into the composer. */
    private readonly begin: (text: string) => void,
  ) {
    super();
    this.register(() => {
      this.closing.abort();
      this.dialog?.close();
    });
  }

  run(name: CommandName): void {
    const { conversation } = this.parts;
    switch (name) {
      case "new":
        return this.startNew();
      case "history":
        return this.showHistory();
      case "search":
        return this.parts.search();
      case "note":
      case "selection":
        return this.limitTo(name);
      case "all":
        conversation.about = null;
        return;
      case "remember":
        return this.begin("! ");
      case "agenda":
        conversation.ask("@agenda", []);
        return;
      case "memory":
        return this.parts.showMemory();
      case "summarise":
        return this.withNote(({ path }) => conversation.ask(say("summarise.question"), [{ kind: "note", name: path }]));
      case "evolution":
        return this.withNote((file) => this.parts.showEvolution(topicOf(this.app, file)));
      case "themes":
        conversation.ask(say("themes.question"), []);
        return;
      case "timeline":
      case "forgetting":
      case "recall":
        return this.parts.showVaultMemory(name);
      case "related":
        return this.parts.showRelated();
      case "proposals":
        return this.parts.showProposals();
      case "undo":
        return this.parts.undoLast();
      case "regenerate": {
        const last = conversation.turns.at(-1);
        if (last) conversation.again(last);
        return;
      }
      case "save":
        void saveChat(this.app, () => this.parts.connect(), conversation.turns);
        return;
    }
  }

  /** The conversation that was shown last, where none was begun. */
  resume(): void {
    const { conversation, last } = this.parts;
    if (last.id === null || conversation.turns.length > 0 || this.closing.signal.aborted) return;
    conversation.open(last.id, this.closing.signal).catch((error: unknown) => {
      if (asFailure(error).code === "not_found") last.forget();
      // Why else there is none is shown as the state of the sidecar.
    });
  }

  private startNew(): void {
    this.parts.conversation.startNew();
    this.parts.last.forget();
    this.begin(this.parts.conversation.draft);
  }

  private showHistory(): void {
    const { conversation } = this.parts;
    this.dialog?.close();
    this.dialog = new HistoryModal(this.app, () => this.parts.connect(), {
      current: conversation.id,
      open: (id) => void this.open(id),
      deleted: (id) => {
        if (id === conversation.id) this.startNew();
      },
    });
    this.dialog.open();
  }

  private async open(id: string): Promise<void> {
    try {
      await this.parts.conversation.open(id, this.closing.signal);
    } catch (error) {
      if (!isAbort(error)) new Notice(sayFailure(asFailure(error)));
    }
  }

  private withNote(act: (file: TFile) => void): void {
    const file = this.app.workspace.getActiveFile();
    if (file?.extension === "md") act(file);
    else new Notice(say("slash.noNote"));
  }

  private limitTo(kind: "note" | "selection"): void {
    const wanted = hereScopes(this.app).find(({ scope }) => (scope.kind === "note") === (kind === "note"));
    if (wanted) this.parts.conversation.limits.add(wanted.scope);
    else new Notice(say(kind === "note" ? "slash.noNote" : "slash.noSelection"));
  }
}
