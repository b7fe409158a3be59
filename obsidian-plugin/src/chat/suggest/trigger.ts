/** What is being typed before the cursor that a list can finish: a mention, a link, a command. Pure. */
export interface Trigger {
  readonly kind: "mention" | "command";
  readonly query: string;
  /** Where it begins in the text; it ends at the cursor. */
  readonly from: number;
}

const COMMAND = /^\/(\S{0,30})$/;
const LINK = /\[\[([^[\]\n]{0,80})$/;
/** Names have spaces, so that a mention goes on behind them. An address of e-mail is none. */
const MENTION = /(?:^|[\s("'„“])@([^\s@][^@\n]{0,60})?$/u;

export function findTrigger(text: string, cursor: number): Trigger | null {
  const before = text.slice(0, cursor);
  const command = COMMAND.exec(before);
  if (command) return { kind: "command", query: command[1] ?? "", from: 0 };
  const link = LINK.exec(before);
  if (link) return { kind: "mention", query: link[1] ?? "", from: link.index };
  const mention = MENTION.exec(before);
  if (!mention) return null;
  const query = mention[1] ?? "";
  return { kind: "mention", query, from: cursor - query.length - 1 };
}

/**
 * The text with what was chosen in the place of what was typed, and where the cursor is then. At the beginning of a
 * text only `name` goes: the limit stands beside it; within a sentence the sentence needs it.
 */
export function finishTrigger(
  text: string,
  cursor: number,
  { from }: Trigger,
  name: string,
): { text: string; cursor: number } {
  const before = text.slice(0, from);
  const rest = text.slice(cursor).replace(/^\]\]/, "");
  if (before.trim() === "") return { text: rest.trimStart(), cursor: 0 };
  const put = rest === "" ? `${name} ` : name;
  return { text: before + put + rest, cursor: from + put.length };
}
