/** A conversation as a note, in the folder of Zibaldone that no answer is taken from. */
import { Notice, type App } from "obsidian";
import { asFailure, sayFailure } from "../../failure";
import { ownFolder } from "../../memory/entries";
import { NameModal } from "../../name";
import type { SidecarClient } from "../../sidecar/client";
import { say } from "../../words";
import type { Turn } from "../turn";
import { conversationMarkdown } from "./markdown";
import { createNote, freePath, noteTitle } from "./save";

export async function saveChat(app: App, connect: () => Promise<SidecarClient>, turns: readonly Turn[]): Promise<void> {
  const [first] = turns;
  if (!first) return;
  try {
    const client = await connect();
    const folder = `${ownFolder(await client.config())}/chats`;
    const pathOf = (name: string) => (noteTitle(name) === "" ? null : freePath(app, folder, noteTitle(name)));
    const content = conversationMarkdown(app, turns);
    new NameModal(app, {
      title: say("chat.save"),
      label: say("save.name"),
      proposed: noteTitle(first.question),
      action: say("save.create"),
      preview: pathOf,
      take: (name) => void createNote(app, pathOf(name) ?? "", content).catch(tell),
    }).open();
  } catch (error) {
    tell(error);
  }
}

function tell(error: unknown): void {
  new Notice(sayFailure(asFailure(error)));
}
