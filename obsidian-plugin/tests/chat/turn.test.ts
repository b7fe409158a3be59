import { expect, test } from "vitest";
import type { AskEventLine } from "../../../shared-schemas/zibaldone";
import { advance, beginTurn, failTurn, isOver, stopTurn, type Turn } from "../../src/chat/turn";
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
