/** An answer, or a whole conversation, as the Markdown of a note: with links to what it cites, and nothing that acts. */
import type { App } from "obsidian";
import type { Citation } from "../../../../shared-schemas/zibaldone";
import { say } from "../../words";
import { splitMarkers } from "../dress";
import type { Turn } from "../turn";
import { disarm } from "./disarm";

/** `source`: the note that it is for, since links are written as they work there. */
export function answerMarkdown(app: App, { text, answer }: Turn, source = ""): string {
  const citations = answer?.citations ?? [];
  return splitMarkers(disarm(text.trim()))
    .map((part) => {
      if (typeof part === "string") return part;
      const citation = citations.find(({ marker }) => marker === part.marker);
      return citation ? ` (${linkTo(app, citation, source)})` : part.text;
    })
    .join("");
}

export function conversationMarkdown(app: App, turns: readonly Turn[]): string {
  const parts = turns.map((turn) => {
    const question = disarm(turn.question).split("\n").join("\n> ");
    const state = turn.phase === "answered" ? "" : `\n\n*${say("save.unfinished")}*`;
    return `> ${question}\n\n${answerMarkdown(app, turn)}${state}`.trim();
  });
  return `${parts.join("\n\n---\n\n")}\n`;
}

/** As the person's settings write links; a place that is no file of the vault is named. */
function linkTo(app: App, { path, heading, page, marker }: Citation, source: string): string {
  const file = app.vault.getFileByPath(path);
  if (!file) return `${disarm(path).replace(/[[\]]/g, "")}`;
  const last = heading
    .at(-1)
    ?.replace(/[#|^[\]\\]/g, " ")
    .trim();
  const below = page !== null ? `#page=${page}` : last && last !== file.basename ? `#${last}` : "";
  return app.fileManager.generateMarkdownLink(file, source, below, String(marker));
}
