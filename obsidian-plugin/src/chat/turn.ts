/**
 * A question and what became of it, as a value. `advance` takes the events of `POST /v1/ask` one after the other; the
 * answer of the last one replaces what was streamed, since it is the one that was checked.
 */
import type { Answer, AskEventLine, Hit, Remembered } from "../../../shared-schemas/zibaldone";
import type { Failure } from "../failure";
import type { Scope } from "./scope";

export type Phase = "queued" | "connecting" | "searching" | "reading" | "writing" | "answered" | "stopped" | "failed";

/**
 * What a turn took into the memory, and what the person did about it. `changes` are those that an undo takes back, the
 * last first; `undone`: it did. `failure`: what they tried last did not work.
 */
export interface Noted {
  readonly told: Remembered;
  readonly changes: readonly number[];
  readonly undone: boolean;
  readonly failure: Failure | null;
}

export interface Turn {
  /** Tells it from other turns, also of other conversations. */
  readonly id: number;
  readonly question: string;
  /** What the question was limited to; empty: nothing. */
  readonly scopes: readonly Scope[];
  readonly phase: Phase;
  /** Questions that the sidecar answers first. */
  readonly ahead: number;
  /** The sidecar has it among the turns of the conversation. */
  readonly kept: boolean;
  /** Grows while it is streamed. */
  readonly text: string;
  readonly hits: readonly Hit[];
  readonly notices: readonly string[];
  readonly noted: readonly Noted[];
  /** Nothing has come for long, and the sidecar does not answer. */
  readonly silent: boolean;
  readonly answer: Answer | null;
  readonly failure: Failure | null;
}

export function beginTurn(
  id: number,
  question: string,
  scopes: readonly Scope[] = [],
  phase: "queued" | "connecting" = "connecting",
): Turn {
  const nothing = { text: "", hits: [], notices: [], noted: [], silent: false, answer: null, failure: null };
  return { id, question, scopes, phase, ahead: 0, kept: false, ...nothing };
}

export function isOver(turn: Turn): boolean {
  return turn.phase === "answered" || turn.phase === "stopped" || turn.phase === "failed";
}

export function advance(turn: Turn, event: AskEventLine): Turn {
  if (isOver(turn)) return turn;
  switch (event.type) {
    case "queued":
      return { ...turn, ahead: event.ahead };
    case "started":
      return { ...turn, phase: "searching", kept: true };
    case "retrieved":
      return { ...turn, phase: "reading", hits: event.hits };
    case "token":
      return { ...turn, phase: "writing", text: turn.text + event.text };
    case "notice":
      return { ...turn, notices: [...turn.notices, event.message] };
    case "remembered":
      return { ...turn, noted: [...turn.noted, note(event.remembered)] };
    case "answered": {
      const { answer, hits, remembered } = event.answer;
      const noted = [...turn.noted, ...remembered.slice(turn.noted.length).map(note)];
      return { ...turn, phase: "answered", text: answer, hits, noted, answer: event.answer };
    }
    case "failed":
      return failTurn(turn, event.error);
    case "cancelled":
      return stopTurn(turn);
  }
}

function note(told: Remembered): Noted {
  return { told, changes: told.change_id === null ? [] : [told.change_id], undone: false, failure: null };
}

/** Whether the answer only repeats what `noted` shows already. */
export function onlyAcknowledges({ answer, noted }: Turn): boolean {
  if (answer?.route !== "chat" || noted.length === 0) return false;
  const lines = answer.answer.split("\n").length;
  const expected = noted.map(({ told }) => 1 + Number(told.conflicts.length > 0) + Number(told.unsure));
  return (
    lines === expected.reduce((sum, count) => sum + count) &&
    noted.every(({ told }) => answer.answer.includes(`“${told.entry.content}”`))
  );
}

/** What was streamed so far stays. */
export function stopTurn(turn: Turn): Turn {
  return isOver(turn) ? turn : { ...turn, phase: "stopped" };
}

export function failTurn(turn: Turn, failure: Failure): Turn {
  return isOver(turn) ? turn : { ...turn, phase: "failed", failure };
}

/** Whether it failed since a note that it is limited to is not read by the sidecar. */
export function lacksNote({ scopes, failure }: Turn): boolean {
  return failure?.code === "not_found" && scopes.some(({ name }) => failure.message.includes(name));
}
