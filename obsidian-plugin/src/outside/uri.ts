/**
 * `obsidian://zibaldone?...`: any web page can lead there, so nothing is done before the person has seen what is asked and
 * clicked. Even then a question is only put into the composer.
 */
import { Modal, type App, type ObsidianProtocolData } from "obsidian";
import type { MemoryTab } from "../vault-memory/view";
import { say, type Key } from "../words";

const MOST_CHARACTERS = 4000;

export interface OutsideActions {
  draft(question: string): void;
  search(query: string): void;
  openRelated(): void;
  openProposals(): void;
  openMemory(): void;
  openVaultMemory(tab?: MemoryTab): void;
  showAgenda(): void;
  openChat(): void;
}

interface Asked {
  readonly words: Key;
  readonly text: string;
  run(actions: OutsideActions): void;
}

/** What a link asks for; null where it asks for nothing that there is. */
export function readUri(data: Readonly<Record<string, string | undefined>>): Asked | null {
  const text = (value: string | undefined): string => [...(value ?? "")].slice(0, MOST_CHARACTERS).join("").trim();
  const [ask, search] = [text(data["ask"]), text(data["search"])];
  if (ask) return { words: "uri.ask", text: ask, run: (actions) => actions.draft(ask) };
  if (search) return { words: "uri.search", text: search, run: (actions) => actions.search(search) };
  const wanted = data["open"] ?? "chat";
  const open = Object.hasOwn(OPENABLE, wanted) ? OPENABLE[wanted] : undefined;
  return open ? { ...open, text: "" } : null;
}

const OPENABLE: Readonly<Record<string, Omit<Asked, "text">>> = {
  chat: { words: "uri.chat", run: (actions) => actions.openChat() },
  related: { words: "uri.related", run: (actions) => actions.openRelated() },
  proposals: { words: "uri.proposals", run: (actions) => actions.openProposals() },
  memory: { words: "uri.memory", run: (actions) => actions.openMemory() },
  "vault-memory": { words: "uri.vaultMemory", run: (actions) => actions.openVaultMemory() },
  forgetting: { words: "uri.forgetting", run: (actions) => actions.openVaultMemory("forgetting") },
  recall: { words: "uri.recall", run: (actions) => actions.openVaultMemory("recall") },
  agenda: { words: "uri.agenda", run: (actions) => actions.showAgenda() },
};

export function handleUri(
  app: App,
  data: ObsidianProtocolData,
  actions: OutsideActions,
  open: (modal: Modal) => void,
): void {
  const asked = readUri(data);
  if (asked) open(new UriModal(app, asked, actions));
}

class UriModal extends Modal {
  constructor(
    app: App,
    private readonly asked: Asked,
    private readonly actions: OutsideActions,
  ) {
    super(app);
  }

  override onOpen(): void {
    const { contentEl, asked } = this;
    this.setTitle(say("uri.title"));
    contentEl.addClass("zibaldone-dialog");
    contentEl.createDiv({ text: say(asked.words) });
    if (asked.text) contentEl.createEl("blockquote", { cls: "zibaldone-uri", text: asked.text, attr: { dir: "auto" } });
    const row = contentEl.createDiv({ cls: "modal-button-container" });
    const yes = row.createEl("button", { cls: "mod-cta zibaldone-uri-yes", text: say("uri.yes") });
    yes.addEventListener("click", () => {
      this.close();
      asked.run(this.actions);
    });
    const no = row.createEl("button", { text: say("uri.no") });
    no.addEventListener("click", () => this.close());
    no.focus();
  }
}
