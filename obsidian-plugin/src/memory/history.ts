/** What happened to entries, the newest first: each change beside what it was before. */
import type { MemoryEvent } from "../../../shared-schemas/zibaldone";
import { diffWords, showPieces } from "../diff";
import { say, sayWhen, type Key } from "../words";

/** Events that are shown; the memory of years has many. */
const MOST_EVENTS = 200;

export interface Step {
  readonly event: MemoryEvent;
  /** The words of the same entry before; null where it is new. */
  readonly before: string | null;
}

/** `events` from the oldest to the newest; the steps the other way round. */
export function listSteps(events: readonly MemoryEvent[]): Step[] {
  const last = new Map<string, string>();
  const steps = [...events]
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
    .map((event) => {
      const before = last.get(event.entry.id) ?? null;
      last.set(event.entry.id, event.entry.content);
      return { event, before };
    });
  return steps.reverse();
}

export function showHistory(el: HTMLElement, events: readonly MemoryEvent[]): void {
  const list = el.createEl("ul", { cls: "zibaldone-entries zibaldone-history" });
  for (const { event, before } of listSteps(events).slice(0, MOST_EVENTS)) {
    const row = list.createEl("li", { cls: "zibaldone-entry" });
    const words = row.createDiv({ attr: { dir: "auto" } });
    showPieces(words, diffWords(before ?? event.entry.content, event.entry.content));
    words.toggleClass("is-over", event.entry.state !== "active");
    row.createDiv({ cls: "zibaldone-remark", text: `${sayAction(event.action)} · ${sayWhen(event.at)}` });
  }
}

const ACTIONS: Readonly<Record<string, Key>> = {
  added: "memory.action.added",
  confirmed: "memory.action.confirmed",
  replaced: "memory.action.replaced",
  edited: "memory.action.edited",
  "in conflict": "memory.action.conflict",
  kept: "memory.action.kept",
  "added by hand": "memory.action.addedByHand",
  "edited by hand": "memory.action.editedByHand",
  "deleted by hand": "memory.action.deletedByHand",
  "struck out by hand": "memory.action.struckByHand",
  cleared: "memory.action.cleared",
};

/** What this version has no words for is named as the sidecar does. */
function sayAction(action: string): string {
  const key = ACTIONS[action];
  return key ? say(key) : action;
}
