/** The command palette's list, with the three kinds of conditions that a command may have. */
import type { Command } from "obsidian";
import type { App } from "./types";

export class Commands {
  readonly commands: Record<string, Command> = {};

  constructor(readonly app: App) {}

  addCommand(command: Command): void {
    this.commands[command.id] = command;
  }

  removeCommand(id: string): void {
    delete this.commands[id];
  }

  /** Those that the palette would offer now. */
  listCommands(): Command[] {
    return Object.values(this.commands).filter((command) => this.#run(command, true));
  }

  executeCommandById(id: string): boolean {
    const command = this.commands[id];
    return command ? this.#run(command, false) : false;
  }

  #run({ callback, checkCallback, editorCallback, editorCheckCallback }: Command, checking: boolean): boolean {
    const view = this.app.workspace.activeEditor as never as { editor: never } | null;
    if (editorCheckCallback)
      return view !== null && (editorCheckCallback(checking, view.editor, view as never) ?? false) !== false;
    if (editorCallback) {
      if (view && !checking) void editorCallback(view.editor, view as never);
      return view !== null;
    }
    if (checkCallback) return this.#allows(checkCallback, checking);
    if (!checking) void callback?.();
    return callback !== undefined;
  }

  /** As in Obsidian, `checkCallback` is asked before it is told. */
  #allows(checkCallback: NonNullable<Command["checkCallback"]>, checking: boolean): boolean {
    const allowed = Boolean(checkCallback(true));
    if (allowed && !checking) checkCallback(false);
    return allowed;
  }
}
