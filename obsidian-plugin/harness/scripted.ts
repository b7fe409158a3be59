/** A `zib` whose answers are written by the test: the real program and server, with a script in the engine's place. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Answer, AskEventLine, Citation, Conversation, Hit, Message } from "../../shared-schemas/zibaldone";
import answered from "../../shared-schemas/examples/AskEventLine.answered.json";
import { findZib, type Zib } from "./bridge/room";
import type { Obsidian } from "./driver";

const FAKE = resolve(import.meta.dirname, "../../tests/support/fake_zib.py");
const PYTHON = join(dirname(findZib() ?? ""), "python");

/** Of the room that it runs in. */
export const SCRIPTED: Zib = {
  script: ['export FAKE_SCRIPT="$ZIBALDONE_HARNESS/script"', `exec '${PYTHON}' '${FAKE}' "$@"`],
};

type Step = AskEventLine | { pause_s: number };

const example = answered.answer as Answer;
export const [EXAMPLE_CITATION] = example.citations as [Citation];
export const [EXAMPLE_HIT] = example.hits as [Hit];

export function answer(over: Partial<Answer>): Answer {
  return { ...example, conversation_id: "saved", ...over };
}

/** What the next question is answered. */
export function scriptAnswer({ room }: Obsidian, steps: readonly Step[]): void {
  write(room.root, "ask.jsonl", steps.map((step) => JSON.stringify(step)).join("\n"));
}

/** The whole stream of an answer, its words as they come. */
export function streamOf(said: Answer, words: readonly string[] = [said.answer], pause_s = 0): Step[] {
  const tokens = words.flatMap((text): Step[] => [{ type: "token", text }, ...(pause_s > 0 ? [{ pause_s }] : [])]);
  return [
    { type: "started", turn_id: "1", model: "script", conversation_id: "saved" },
    { type: "retrieved", hits: said.hits, top_score: 1 },
    ...tokens,
    { type: "answered", answer: said },
  ];
}

/** What is saved: questions with their answers. */
export function scriptConversation({ room }: Obsidian, turns: readonly (readonly [string, Answer])[]): void {
  const at = "2026-03-04T09:12:00+00:00";
  const messages = turns.flatMap(([text, said]): Message[] => [
    { role: "user", text, at, state: "complete", citations: [], answer: null },
    { role: "assistant", text: said.answer, at, state: "complete", citations: said.citations, answer: said },
  ]);
  const conversation: Conversation = { id: "saved", title: "Saved", started_at: at, updated_at: at, messages };
  write(room.root, "conversation.json", JSON.stringify(conversation));
}

function write(root: string, name: string, text: string): void {
  mkdirSync(join(root, "script"), { recursive: true });
  writeFileSync(join(root, "script", name), text);
}
