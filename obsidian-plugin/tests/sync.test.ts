import { Component, Notice } from "obsidian";
import { afterEach, expect, test, vi } from "vitest";
import type { SyncReport } from "../../shared-schemas/zibaldone";
import { selectionOf } from "../src/remember";
import { sayProgress, sayReport, syncNow } from "../src/sync";
import { example } from "./support/examples";
import { fakeClient } from "./support/fakes";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const report = example<SyncReport>("SyncReport.typical");

test("a sync is told in sentences", () => {
  expect(sayReport(report)).toEqual(["Synced: 3 added, 1 changed, 1 renamed, 1 skipped."]);
  expect(sayReport({ ...report, added: 0, changed: 0, renamed: 0 })).toEqual(["Up to date: 412 notes."]);
  const told = "60 of 90 notes are gone at once: `zib sync --yes` drops it.";
  const held = sayReport({ ...report, held: 60, notes: [told, "Something else.", "Something else."] });
  expect(held.slice(1)).toEqual([
    "60 notes vanished at once and are held back until you run `zib sync --yes`.",
    "Something else.",
  ]);
});

test("progress is told in the words of the stage", () => {
  const at = { type: "progress", done: 1200, total: 4800, unit: "chunks" } as const;
  expect(sayProgress({ ...at, stage: "embedding" })).toBe("Working out meanings: 1,200 of 4,800 passages");
  expect(sayProgress({ ...at, stage: "dreaming" })).toBe("dreaming: 1,200 of 4,800");
});

test("a selection names the lines that it holds", () => {
  const select = (from: [number, number], to: [number, number]) => {
    const [start, end] = [from, to].map(([line, ch]) => ({ line, ch }));
    const editor = { getCursor: (which: string) => (which === "from" ? start : end), getSelection: () => " words\n" };
    return selectionOf(editor as unknown as Parameters<typeof selectionOf>[0], "A.md");
  };
  expect(select([4, 2], [4, 9])).toEqual({ text: "words", note_path: "A.md", line_start: 5, line_end: 5 });
  expect(select([4, 0], [6, 0])).toMatchObject({ line_start: 5, line_end: 6 });
  expect(select([4, 0], [6, 3])).toMatchObject({ line_start: 5, line_end: 7 });
});

test("the notice shows commands as code, and neither it nor its timer outlives the plugin", async () => {
  vi.useFakeTimers();
  const said = vi.spyOn(Notice.prototype, "setMessage");
  const hide = vi.spyOn(Notice.prototype, "hide");
  const run = async (over: Partial<SyncReport>, closing: AbortController) => {
    const sync = async function* () {
      yield { type: "synced", report: { ...report, ...over } } as const;
    };
    await syncNow(async () => fakeClient({ sync }), closing.signal, new Component());
  };
  const closing = new AbortController();
  await run({}, closing);
  expect(vi.getTimerCount()).toBe(1);
  closing.abort();
  expect(vi.getTimerCount()).toBe(0);
  expect(hide).toHaveBeenCalled();
  await run({ notes: ["No model is there. zib models pull e5"] }, new AbortController());
  const shown = said.mock.calls.at(-1)?.[0] as DocumentFragment;
  expect(shown.querySelector("code")?.textContent).toBe("zib models pull e5");
  expect(vi.getTimerCount()).toBe(0); // it stays
});
