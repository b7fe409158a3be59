import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { App, type App as ObsidianApp, type MarkdownView } from "obsidian";
import { applyEdits, placeHunks } from "../../src/apply/place";
import { QUIET_MS, TypingWatch } from "../../src/apply/typing";

const hunk = (old_line: number, old: string, text: string) => ({
  number: 1,
  old_line,
  new_line: old_line,
  old,
  new: text,
});
const app = (App as unknown as { createConfigured__(): ObsidianApp }).createConfigured__();

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("hunks go where their lines are, and change no more than they have to", () => {
  const text = "one\ntwo\nthree\nfour\n";
  const hunks = [hunk(4, "four\n", "FOUR\n"), hunk(2, "two\n", "twenty two\n"), hunk(1, "", "zero\n")];
  const edits = placeHunks(text, hunks, true);
  expect(edits && applyEdits(text, edits)).toBe("zero\none\ntwenty two\nthree\nFOUR\n");
  expect(placeHunks(text, [hunk(2, "two\n", "two!\n")], true)).toEqual([{ from: 7, to: 7, text: "!" }]);
  expect(placeHunks("one", [hunk(2, "", "two")], true)).toEqual([{ from: 3, to: 3, text: "two" }]);
});

test("in a text that moved on only what is there once has a place", () => {
  const moved = "new\none\ntwo\n";
  const edits = placeHunks(moved, [hunk(2, "two\n", "2\n")], false);
  expect(edits && applyEdits(moved, edits)).toBe("new\none\n2\n");
  expect(placeHunks("two\ntwo\n", [hunk(1, "two\n", "2\n")], false)).toBeNull();
  expect(placeHunks("one two\n", [hunk(1, "two\n", "2\n")], false)).toBeNull();
  expect(placeHunks(moved, [hunk(1, "", "zero\n")], false)).toBeNull();
  expect(placeHunks("1\n", [hunk(1, "one\n", "2\n")], true)).toBeNull();
});

test("what has other line endings than an editor is left alone, and so is what overlaps", () => {
  expect(placeHunks("one\ntwo\n", [hunk(1, "one\r\n", "1\r\n")], true)).toBeNull();
  expect(placeHunks("one\ntwo\n", [hunk(1, "one\ntwo\n", "1\nII\n"), hunk(2, "two\n", "zwei\n")], true)).toBeNull();
});

function type(path: string): void {
  const info = { file: { path } } as unknown as MarkdownView;
  app.workspace.trigger("editor-change", {}, info);
}

test("a pause is waited for, from the last key on, and what we change ourselves is no key", async () => {
  const typing = new TypingWatch(app);
  typing.load();
  let paused = false;
  type("a.md");
  void typing.pause("a.md").then(() => (paused = true));
  await vi.advanceTimersByTimeAsync(QUIET_MS - 100);
  type("a.md");
  typing.land(() => type("b.md"));
  expect([typing.isTyping("a.md"), typing.isTyping("b.md")]).toEqual([true, false]);
  await vi.advanceTimersByTimeAsync(QUIET_MS - 1);
  expect(paused).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(paused).toBe(true);
  type("a.md");
  void typing.pause("a.md");
  typing.unload();
  expect(vi.getTimerCount()).toBe(0);
});
