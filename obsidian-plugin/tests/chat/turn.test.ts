import { expect, test } from "vitest";
import type { Answer, AskEventLine, Remembered } from "../../../shared-schemas/zibaldone";
import { advance, beginTurn, failTurn, isOver, onlyAcknowledges, stopTurn, type Turn } from "../../src/chat/turn";
import { example } from "../support/examples";

const event = (name: string): AskEventLine => example<AskEventLine>(`AskEventLine.${name}`);
const play = (...names: string[]): Turn => names.map(event).reduce(advance, beginTurn(1, "How much?"));

test("follows the golden events to an answer", () => {
  const phases = ["started", "retrieved", "token", "token", "notice", "answered"];
  let turn = beginTurn(1, "How much?");
  expect(turn.phase).toBe("connecting");
  const seen = phases.map((name) => (turn = advance(turn, event(name))).phase);
  expect(seen).toEqual(["searching", "reading", "writing", "writing", "writing", "answered"]);
  expect(turn.notices).toHaveLength(1);
});

test("what was remembered is kept as it comes, and what only the answer lists is added", () => {
  const turn = play("started", "remembered");
  expect(turn.noted).toMatchObject([{ told: { entry: { content: "Leo is eight" } }, changes: [12], undone: false }]);
  expect(play("started", "remembered", "answered").noted).toEqual(turn.noted);
  const [first, second] = [example<Remembered>("Remembered.new"), example<Remembered>("Remembered.known")];
  const { answer } = event("answered") as { answer: Answer };
  const answered = advance(turn, { type: "answered", answer: { ...answer, remembered: [first, second] } });
  expect(answered.noted.map(({ told }) => told.already)).toEqual([false, true]);
});

test("an answer that only says again what was remembered is known as such", () => {
  const { answer } = event("answered") as { answer: Answer };
  const told = example<Remembered>("Remembered.unsure");
  const acknowledged = (text: string, route: Answer["route"] = "chat"): boolean => {
    const said = { ...answer, route, remembered: [told], answer: text };
    return onlyAcknowledges(advance(beginTurn(1, "!"), { type: "answered", answer: said }));
  };
  const words = "Remembered: “Wants every step explained”.\nYou said otherwise.\nI took it as a wish.";
  expect(acknowledged(words)).toBe(true);
  expect(acknowledged(`${words}\nAnd more.`)).toBe(false);
  expect(acknowledged(words, "convergence")).toBe(false);
  expect(acknowledged("**How you like things done**\n- Wants every step explained\n")).toBe(false);
});

test("the answer replaces what was streamed", () => {
  expect(play("started", "retrieved", "token").text).toBe(" 42,000 EUR");
  const turn = play("started", "retrieved", "token", "answered");
  expect(turn.text).toBe("Kestrel has 42,000 EUR, approved on 2 March [1].");
  expect(turn.answer?.citations).toHaveLength(1);
});

test("an abstention is an answer with a reason and the closest passages", () => {
  const turn = play("started", "retrieved", "abstained");
  expect(turn.answer?.abstention_reason).toBe("weak_retrieval");
  expect(turn.hits[0]?.path).toBe("Recipes/Brot.md");
});

test("what was streamed stays when it is stopped or fails", () => {
  expect(stopTurn(play("started", "token"))).toMatchObject({ phase: "stopped", text: " 42,000 EUR" });
  expect(play("started", "token", "failed")).toMatchObject({
    phase: "failed",
    text: " 42,000 EUR",
    failure: { code: "model_missing" },
  });
  expect(play("started", "cancelled").phase).toBe("stopped");
});

test("nothing follows an end", () => {
  const over = play("started", "answered");
  expect(isOver(over)).toBe(true);
  expect(advance(over, event("token"))).toBe(over);
  expect(stopTurn(over)).toBe(over);
  expect(failTurn(over, { code: "x", message: "", hint: "", retryable: false })).toBe(over);
});
