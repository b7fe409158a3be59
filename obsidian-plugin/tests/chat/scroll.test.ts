import { expect, test } from "vitest";
import { followsAfter, isAtBottom } from "../../src/chat/scroll";

const at = (scrollTop: number, scrollHeight = 1000) => ({ scrollTop, scrollHeight, clientHeight: 400 });

test("the end is the end, give or take a line", () => {
  expect(isAtBottom(at(600))).toBe(true);
  expect(isAtBottom(at(580.5))).toBe(true);
  expect(isAtBottom(at(500))).toBe(false);
});

test("only scrolling up ends the following", () => {
  expect(followsAfter(true, 600, at(600, 1200))).toBe(true); // the answer grew before the event came
  expect(followsAfter(true, 600, at(500))).toBe(false);
  expect(followsAfter(false, 500, at(550))).toBe(false);
  expect(followsAfter(false, 500, at(600))).toBe(true);
});
