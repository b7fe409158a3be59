/** Saved conversations: found by their words, opened, renamed, deleted. In Obsidian's own kind of dialog. */
import { Notice, Platform, setIcon, SuggestModal, type App } from "obsidian";
import type { ConversationSummary } from "../../../../shared-schemas/zibaldone";
import { asFailure, sayFailure } from "../../failure";
import { NameModal } from "../../name";
import type { SidecarClient } from "../../sidecar/client";
import { isAbort } from "../../sidecar/failure";
import { say, sayCount, sayWhen } from "../../words";

export interface HistoryActions {
  /** The conversation that the pane shows. */
  readonly current: string | null;
  open(id: string): void;
  /** It is there no more. */
  deleted(id: string): void;
}

const MOST = 100;

export class HistoryModal extends SuggestModal<ConversationSummary> {
  private stopper = new AbortController();
  /** The one that is to be deleted if that is said again. */
  private doomed: string | null = null;

  constructor(
    app: App,
    private readonly connect: (signal: AbortSignal) => Promise<SidecarClient>,
    private readonly actions: HistoryActions,
  ) {
    super(app);
    const mod = Platform.isMacOS ? "⌘" : "Ctrl";
    this.limit = MOST;
    this.modalEl.addClass("zibaldone-history");
    this.emptyStateText = say("dialog.loading");
    this.setPlaceholder(say("history.search"));
    this.setInstructions([
      { command: "↵", purpose: say("history.open") },
      { command: `${mod} R`, purpose: say("history.rename") },
      { command: `${mod} ⌫`, purpose: say("history.delete") },
      { command: "esc", purpose: say("history.close") },
    ]);
    this.scope.register(["Mod"], "r", () => this.onSelected("zibaldone-rename"));
    for (const key of ["Backspace", "Delete"])
      this.scope.register(["Mod"], key, () => this.onSelected("zibaldone-delete"));
  }

  override async getSuggestions(query: string): Promise<ConversationSummary[]> {
    this.stopper.abort();
    const { signal } = (this.stopper = new AbortController());
    this.doomed = null;
    try {
      const client = await this.connect(signal);
      const { conversations } = await client.conversations(query.trim(), signal);
      signal.throwIfAborted();
      this.emptyStateText = say(query.trim() === "" ? "history.none" : "search.nothing");
      return conversations;
    } catch (error) {
      if (!isAbort(error)) this.emptyStateText = sayFailure(asFailure(error));
      return [];
    }
  }

  override renderSuggestion(one: ConversationSummary, el: HTMLElement): void {
    el.addClass("mod-complex");
    const content = el.createDiv({ cls: "suggestion-content" });
    content.createDiv({ cls: "suggestion-title", text: one.title, attr: { dir: "auto" } });
    if (one.found !== null)
      content.createDiv({ cls: "suggestion-note zibaldone-snippet", text: one.found, attr: { dir: "auto" } });
    const marks = [sayWhen(one.updated_at), sayCount("history.turns", one.turns)];
    if (one.id === this.actions.current) marks.unshift(say("history.current"));
    content.createDiv({ cls: "suggestion-note", text: marks.join(" · ") });
    const aux = el.createDiv({ cls: "suggestion-aux" });
    this.addButton(aux, "pencil", say("history.rename"), "zibaldone-rename", () => this.rename(one));
    const button = this.addButton(aux, "trash-2", say("history.delete"), "zibaldone-delete", () => {
      if (this.doomed === one.id) void this.delete(one);
      else this.doom(one.id, button);
    });
  }

  override onChooseSuggestion(one: ConversationSummary): void {
    this.actions.open(one.id);
  }

  override onClose(): void {
    this.stopper.abort();
  }

  private addButton(el: HTMLElement, icon: string, label: string, cls: string, action: () => void): HTMLElement {
    const attr = { type: "button", "aria-label": label, tabindex: "-1" };
    const button = el.createEl("button", { cls: `clickable-icon ${cls}`, attr });
    setIcon(button, icon);
    button.addEventListener("click", (event) => {
      event.stopPropagation(); // else the conversation would be opened
      action();
    });
    return button;
  }

  private onSelected(cls: string): false {
    this.resultContainerEl.querySelector<HTMLElement>(`.is-selected .${cls}`)?.click();
    return false;
  }

  /** Deleting cannot be undone, so it is said twice. */
  private doom(id: string, button: HTMLElement): void {
    for (const other of this.resultContainerEl.findAll(".zibaldone-delete.mod-warning")) {
      other.removeClass("mod-warning");
      setIcon(other, "trash-2");
    }
    this.doomed = id;
    button.addClass("mod-warning");
    button.setText(say("history.deleteNow"));
  }

  private rename({ id, title }: ConversationSummary): void {
    const signal = new AbortController().signal;
    const take = async (name: string): Promise<void> => {
      const client = await this.connect(signal);
      await client.renameConversation(id, name);
      this.refresh();
    };
    new NameModal(this.app, {
      title: say("history.rename"),
      label: say("history.name"),
      proposed: title,
      action: say("history.rename"),
      preview: (name) => (name.trim() === "" ? null : ""),
      take: (name) => void take(name).catch(tell),
    }).open();
  }

  private async delete({ id }: ConversationSummary): Promise<void> {
    try {
      const client = await this.connect(new AbortController().signal);
      await client.deleteConversation(id);
      this.actions.deleted(id);
      this.refresh();
    } catch (error) {
      tell(error);
    }
  }

  /** As after a key: the list is asked for again. */
  private refresh(): void {
    this.inputEl.dispatchEvent(new Event("input"));
    this.inputEl.focus();
  }
}

function tell(error: unknown): void {
  new Notice(sayFailure(asFailure(error)));
}
