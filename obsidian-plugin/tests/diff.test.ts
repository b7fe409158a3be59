import { expect, test } from "vitest";
import { diffWords } from "../src/diff";

const told = (before: string, after: string) => diffWords(before, after).map(({ kind, text }) => `${kind}:${text}`);

test("words that differ are told, the others stay", () => {
  expect(told("ask Anna about it", "ask Bea about it")).toEqual([
    "same:ask ",
    "gone:Anna",
    "new:Bea",
    "same: about it",
  ]);
  expect(told("", "all new")).toEqual(["new:all new"]);
  expect(told("all gone", "")).toEqual(["gone:all gone"]);
  expect(told("same", "same")).toEqual(["same:same"]);
});

test.each([
  ["a b c d", "a x c y"],
  ["日本語 のメモ", "日本語 のノート"],
  ["x ".repeat(3000), "y ".repeat(3000)],
])("both texts can be read from the pieces", (before, after) => {
  const pieces = diffWords(before, after);
  const side = (left: string) =>
    pieces
      .filter(({ kind }) => kind !== left)
      .map(({ text }) => text)
      .join("");
  expect([side("new"), side("gone")]).toEqual([before, after]);
});
