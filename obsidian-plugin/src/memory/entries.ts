/** Entries of the memory of the person: where they stand, and what is said beside them. Pure. */
import type { ConfigReport, MemoryEntry } from "../../../shared-schemas/zibaldone";
import { fold } from "../fold";
import type { Place } from "../place";
import { say, sayCount, sayShare } from "../words";

export type MemoryType = MemoryEntry["type"];
export const TYPES: readonly MemoryType[] = ["user", "feedback", "context"];
const DAY_MS = 86_400_000;

/** The folder that Zibaldone keeps its own notes in. */
export function ownFolder({ settings }: ConfigReport): string {
  const folder = settings["folder"]?.value;
  return typeof folder === "string" ? folder : "Zibaldone";
}

/** The folder of the memory's pages. */
export function memoryFolder(config: ConfigReport): string {
  return `${ownFolder(config)}/memory`;
}

/** The line of the entry; the page's first where the person wrote it and it has no id there yet. */
export function entryPlace({ id, type, state }: MemoryEntry, folder: string): Place {
  return { path: `${folder}/${state === "active" ? type : "archive"}.md`, line: 1, mark: `%%id ${id}`, page: null };
}

/** "said by you · fades in 12 days". `now` is in milliseconds. */
export function sayMarks(entry: MemoryEntry, now: number): string {
  const marks = [
    entry.is_explicit ? say("memory.explicit") : say("memory.inferred", { sure: sayShare(entry.confidence) }),
  ];
  if (entry.state !== "active") marks.push(say("memory.over"));
  else if (entry.pinned) marks.push(say("memory.pinned"));
  else if (entry.expires_at !== null) marks.push(sayFading(Date.parse(entry.expires_at) - now));
  if (entry.conflicts_with.length > 0) marks.push(say("memory.conflict"));
  return marks.join(" · ");
}

/** Where it was said: "note Daily/2026-03-02, line 14", "a conversation". */
export function saySource(source: string): string {
  const [kind, rest = ""] = [source.split(":", 1)[0], source.slice(source.indexOf(":") + 1)];
  if (kind === "note") {
    const [, path = rest, line] = /^(.*?)(?::(\d+)(?:-\d+)?)?$/.exec(rest) ?? [];
    return line === undefined ? path : say("answer.lines", { path, line });
  }
  if (kind === "chat") return say("memory.source.chat");
  if (kind === "import") return say("memory.source.import", { name: rest });
  return source === "hand" ? say("memory.source.hand") : say("memory.source.cli");
}

function sayFading(left: number): string {
  return left <= 0 ? say("memory.faded") : sayCount("memory.fades", Math.ceil(left / DAY_MS));
}

/** Whether `text` holds each word of `query`, in whatever case and with whatever accents. */
export function holdsWords(text: string, query: string): boolean {
  const within = fold(text);
  return fold(query)
    .split(/\s+/)
    .every((word) => within.includes(word));
}
