/** Keeps the note that a question is limited to in step with the vault. */
import type { App, Component } from "obsidian";
import type { Conversation } from "./conversation";

/** Obsidian tells of each note in a folder that is renamed or deleted. */
export function followNote(
  app: App,
  owner: Component,
  conversation: Pick<Conversation, "noteRenamed" | "noteVanished">,
): void {
  const { vault } = app;
  owner.registerEvent(vault.on("rename", (file, oldPath) => conversation.noteRenamed(oldPath, file.path)));
  owner.registerEvent(vault.on("delete", (file) => conversation.noteVanished(file.path)));
  owner.registerEvent(vault.on("create", (file) => conversation.noteVanished(file.path, true)));
}
