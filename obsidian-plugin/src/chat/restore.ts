/** A saved conversation as turns. What was cut short by a stop, or by the end of the sidecar, is shown as that. Pure. */
import type { Message } from "../../../shared-schemas/zibaldone";
import { say } from "../words";
import { advance, beginTurn, failTurn, stopTurn, type Turn } from "./turn";
import { readScope } from "./scope";

/** Each question is followed by its answer. `next` gives the numbers of turns. */
export function restoreTurns(messages: readonly Message[], next: () => number): Turn[] {
  const turns: Turn[] = [];
  for (const [at, { role, text }] of messages.entries()) {
    const said = messages[at + 1];
    if (role === "user") turns.push(restoreTurn(next(), text, said?.role === "assistant" ? said : null));
  }
  return turns;
}

function restoreTurn(id: number, question: string, said: Message | null): Turn {
  const begun: Turn = { ...beginTurn(id, question), kept: true, text: said?.text ?? "" };
  if (said === null || said.state === "partial") return stopTurn(begun);
  if (said.state === "failed") {
    const failure = { code: "internal", message: say("turn.failedThen"), hint: "", retryable: true };
    return failTurn(begun, failure);
  }
  if (said.answer === null) return { ...begun, phase: "answered" };
  const scopes = said.answer.within.map(readScope);
  return advance({ ...begun, scopes }, { type: "answered", answer: said.answer });
}
