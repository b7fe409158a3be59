import { afterEach, expect, test } from "vitest";
import type { ConceptNotesWritten, Drift, Forgetting, MemoryStats, Timeline } from "../../../shared-schemas/zibaldone";
import { nextOf } from "../../src/tabs";
import { sayWritten } from "../../src/vault-memory/notes";
import {
  lineOf,
  listMonths,
  sayOverall,
  saySpan,
  sayStats,
  sayTouched,
  sayWindow,
  sourceOf,
} from "../../src/vault-memory/told";
import { useLanguage } from "../../src/words";
import { example } from "../support/examples";

afterEach(() => useLanguage("en"));

const stats = example<MemoryStats>("MemoryStats.typical");
const [drifting] = example<Drift>("Drift.one").drift as [Drift["drift"][number]];
const [fading] = example<Forgetting>("Forgetting.one").forgetting as [Forgetting["forgetting"][number]];
const [episode] = example<Timeline>("Timeline.one").timeline as [Timeline["timeline"][number]];
const [note, commit] = fading.evidence as [(typeof fading.evidence)[number], (typeof fading.evidence)[number]];

test("how far it is, with about how long it takes", () => {
  const many = { ...stats, sources: 3176, read: 412, left: 2764, seconds_left: 117 };
  expect(sayStats(many)).toBe("412 of 3,176 sources, about 2 min");
  expect(sayStats({ ...many, seconds_left: null })).toBe("412 of 3,176 sources");
  expect(sayStats({ ...many, state: "paused" })).toBe("Paused: 412 of 3,176 sources are read.");
  expect(sayStats({ ...many, state: "idle", built_at: null })).toBe("Not built yet: 3,176 sources wait.");
  expect(sayStats({ ...stats, left: 0 })).toContain("Working out");
  expect(sayStats({ ...stats, left: 0, state: "idle" })).toBe(
    "156 sources are read: 310 events, 48 episodes, 13 concepts",
  );
  useLanguage("de");
  expect(sayStats(many)).toBe("412 von 3.176 Quellen, etwa 2 min");
});

test("episodes are in the month in which they began, the newest first", () => {
  const at = (node_id: string, start: string | null) => ({ ...episode, node_id, start });
  const months = listMonths([at("a", "2026-01-30"), at("b", "2026-03-02"), at("c", "2026-03-20"), at("d", null)]);
  expect(months.map(({ month, events, episodes }) => [month, events, episodes.map((one) => one.node_id)])).toEqual([
    ["2026-03", 4, ["c", "b"]],
    ["2026-01", 2, ["a"]],
    ["", 2, ["d"]],
  ]);
});

test("a span has two days only where they differ", () => {
  expect(saySpan("2026-03-02", "2026-03-04")).toBe("Mar 2, 2026 – Mar 4, 2026");
  expect(saySpan("2026-03-02", "2026-03-02")).toBe("Mar 2, 2026");
  expect(saySpan(null, null)).toBe("");
});

test("drift is told beyond chance, window by window", () => {
  const [first, second] = drifting.windows as [(typeof drifting.windows)[number], (typeof drifting.windows)[number]];
  expect(sayOverall(drifting)).toBe("moved 42% beyond chance");
  expect(sayOverall({ ...drifting, overall_drift: 0.004 })).toBe("moved no more than chance");
  expect(sayOverall({ ...drifting, windows: [first] })).toBe("one window only");
  expect(sayWindow(first, true)).toBe("Mar 2, 2026 – Mar 31, 2026: 2 events, the first");
  expect(sayWindow(second, false)).toBe("Aug 29, 2026 – Sep 27, 2026: 3 events, moved 42% beyond chance");
  expect(sayWindow({ ...second, expected: 0.6 }, false)).toContain("no more than chance");
});

test("the line of drift goes from the first window to the last, within its frame", () => {
  expect(lineOf(drifting.windows)).toEqual([
    { x: 0, y: 0 },
    { x: 1, y: 0.55 },
  ]);
  expect(lineOf(drifting.windows.slice(0, 1))).toEqual([{ x: 0.5, y: 0 }]);
  expect(lineOf(drifting.windows.map((one) => ({ ...one, drift: 1.7 }))).every(({ y }) => y === 1)).toBe(true);
});

test("when something was last touched", () => {
  const now = Date.parse("2026-03-05T09:00:00Z");
  expect(sayTouched(fading, now)).toBe("last touched Mar 4, 2026, 1 day ago");
  expect(sayTouched({ last_touched: null }, now)).toBe("last touched on no known day");
  useLanguage("de");
  expect(sayTouched(fading, now)).toBe("zuletzt berührt am 04.03.2026, vor 1 Tag");
});

test("evidence is a source as a citation is one", () => {
  expect(sourceOf(note)).toMatchObject({ path: "Projects/Kestrel.md", line_start: 12, modality: "text", commit: null });
  expect(sourceOf({ ...note, page: 3 }).modality).toBe("pdf");
  expect(sourceOf({ ...note, path: "Plan.canvas" }).modality).toBe("canvas");
  expect(sourceOf({ ...note, path: "Scan.PNG", locator: "" }).modality).toBe("image");
  expect(sourceOf(commit)).toMatchObject({ source_uri: "git:kestrel@4f1c0a9be27d", modality: "document" });
});

test("what became of the concept notes is told", () => {
  const written = example<ConceptNotesWritten>("ConceptNotesWritten.typical");
  expect(sayWritten(written)).toBe("74 notes written, 1 removed, 0 unchanged. Commit 4f1c0a9");
  expect(sayWritten({ ...written, commit: null, queued: true })).toContain("still waiting");
  expect(sayWritten({ ...written, written: 0, removed: 0 })).toBe("There is no concept to write a note of yet.");
});

test("keys of tabs lead round", () => {
  expect(nextOf("ArrowRight", 4, 5)).toBe(0);
  expect(nextOf("ArrowLeft", 0, 5)).toBe(4);
  expect([nextOf("Home", 3, 5), nextOf("End", 3, 5), nextOf("a", 3, 5)]).toEqual([0, 4, null]);
});
