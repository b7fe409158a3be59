/** Which conversation the pane showed last, on this device: it is there again after a restart. */
import type { App } from "obsidian";
import type { Conversation } from "../conversation";

const KEY = "zibaldone-conversation";

export class LastConversation {
  private kept: string | null;

  constructor(private readonly app: App) {
    const kept: unknown = app.loadLocalStorage(KEY);
    this.kept = typeof kept === "string" && kept !== "" ? kept : null;
  }

  get id(): string | null {
    return this.kept;
  }

  /** An empty one is new, or not read yet. */
  note({ id, turns }: Pick<Conversation, "id" | "turns">): void {
    if (turns.length > 0 && id !== null) this.keep(id);
  }

  forget(): void {
    this.keep(null);
  }

  private keep(id: string | null): void {
    if (id === this.kept) return;
    this.kept = id;
    this.app.saveLocalStorage(KEY, id);
  }
}
