import { afterEach, expect, test } from "vitest";
import type { Coverage, Status } from "../../../shared-schemas/zibaldone";
import { listCoverage } from "../../src/coverage/list";
import { Pace } from "../../src/status/pace";
import { sayProgressOf } from "../../src/status/say";
import { useLanguage } from "../../src/words";
import { example } from "../support/examples";

afterEach(() => useLanguage("en"));

test("each note is listed with its state and its reason", () => {
  const notes = listCoverage(example<Coverage>("Coverage.typical"));
  expect(notes.map(({ path, state }) => [state, path])).toEqual([
    ["indexed", "Bees/Home.md"],
    ["indexed", "Bees/Varroa.md"],
    ["pending", "Daily/2026-03-04.md"],
    ["skipped", "Templates/Meeting.md"],
    ["failed", "Old/Broken.md"],
    ["partial", "Bees/Home.md"],
  ]);
  expect(notes.find(({ state }) => state === "skipped")?.reason).toBe("in an excluded folder");
});

test("the time that is left is told once there is something to tell it by", () => {
  const pace = new Pace();
  pace.note(3000, 0);
  expect(pace.left).toBeNull();
  pace.note(2764, 10_000);
  expect(pace.left).toBeCloseTo((2764 * 10_000) / 236);
  pace.note(2900, 11_000); // new notes came
  expect(pace.left).toBeNull();
  pace.note(0, 20_000);
  expect(pace.left).toBeNull();
});

test("progress is told with about how long it takes", () => {
  const typical = example<Status>("Status.typical");
  const embed = { role: "embed", model: "e5", state: "ready", hint: null } as const;
  const notes = { indexed: 3176, pending: 2764, skipped: 0, failed: 0 };
  const status = { ...typical, notes, models: { embed } };
  expect(sayProgressOf(status, 117_000, false)).toBe("412 of 3,176 notes, about 2 min");
  expect(sayProgressOf(status, 20_000, false)).toBe("412 of 3,176 notes, less than a minute");
  expect(sayProgressOf(status, null, false)).toBe("412 of 3,176 notes");
  expect(sayProgressOf(status, null, true)).toContain("paused");
  useLanguage("de");
  expect(sayProgressOf(status, 117_000, false)).toBe("412 von 3.176 Notizen, etwa 2 min");
});
