import { expect, test } from "vitest";
import type { SyncReport } from "../../shared-schemas/zibaldone";
import { selectionOf } from "../src/remember";
import { sayProgress, sayReport } from "../src/sync";
import { example } from "./support/examples";

const report = example<SyncReport>("SyncReport.typical");

test("a sync is told in sentences", () => {
  expect(sayReport(report)).toEqual(["Synced: 3 added, 1 changed, 1 renamed, 1 skipped."]);
  expect(sayReport({ ...report, added: 0, changed: 0, renamed: 0 })).toEqual(["Up to date: 412 notes."]);
  const held = sayReport({ ...report, held: 60, notes: ["Something else."] });
  expect(held[1]).toBe("60 notes vanished at once and are held back until you run zib sync --yes.");
  expect(held[2]).toBe("Something else.");
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
