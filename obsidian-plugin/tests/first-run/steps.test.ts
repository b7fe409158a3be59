import { expect, test } from "vitest";
import type { Status } from "../../../shared-schemas/zibaldone";
import { findSubjects, listCandidates } from "../../src/first-run/question";
import { planSteps } from "../../src/first-run/steps";
import { SidecarFailure } from "../../src/sidecar/failure";
import { example } from "../support/examples";
import { ready } from "../support/fakes";

const typical = example<Status>("Status.typical");
const embed = { role: "embed", model: "e5", state: "ready", hint: null } as const;
const chat = { role: "chat", model: "c", state: "idle", hint: null } as const;
const notes = { indexed: 10, pending: 0, skipped: 0, failed: 0 };
const fine: Status = {
  ...typical,
  notes,
  models: { chat, embed },
  git: { state: "ready", queued_commits: 0 },
  sync_state: "idle",
};
const states = (...given: Parameters<typeof planSteps>) => planSteps(...given).map(({ state }) => state);

test("one step after the other, from no program to the first question", () => {
  const failed = { kind: "failed", failure: new SidecarFailure("zib_missing", "none") } as const;
  expect(states(failed, null)).toEqual(["now", "later", "later", "later", "later"]);
  expect(states({ kind: "starting", attempt: 1 }, null)).toEqual(["working", "later", "later", "later", "later"]);
  expect(states(ready(), null)).toEqual(["done", "working", "later", "later", "later"]);
  const bare = { ...fine, git: { state: "none", queued_commits: 0 } };
  expect(states(ready(), bare)).toEqual(["done", "now", "later", "later", "later"]);
  const busy = { ...fine, notes: { ...notes, pending: 4 } };
  expect(states(ready(), busy)).toEqual(["done", "done", "done", "working", "later"]);
  expect(states(ready(), fine)).toEqual(["done", "done", "done", "done", "now"]);
});

test("without models one can go on: they can wait", () => {
  const without: Status = {
    ...fine,
    notes: { ...notes, pending: 10 },
    models: { chat: { ...chat, state: "missing" }, embed: { ...embed, state: "missing" } },
  };
  expect(states(ready(), without)).toEqual(["done", "done", "optional", "done", "now"]);
});

test("the first question is about a note that says something", () => {
  const note = (name: string, size: number, mtime: number) => ({ path: `${name}.md`, name, size, mtime });
  const all = [
    note("Rote Grütze", 900, 1),
    note("2026-03-04", 900, 9),
    note("Stub", 20, 8),
    note("Kestrel", 900, 5),
    note("Secret", 900, 7),
  ];
  const indexed = new Set(all.map(({ path }) => path).filter((path) => path !== "Secret.md"));
  expect(listCandidates(all, indexed).map(({ name }) => name)).toEqual(["Kestrel", "Rote Grütze"]);
  expect(findSubjects("---\ntitle: x\n---\n# A\n\n- Fee: 2,400 €\n**Dauer:** 2 h\nNo: 1\nhttps://a.b/c\n")).toEqual([
    "Fee",
    "Dauer",
  ]);
  expect(findSubjects("- Venue: the hall\n")).toEqual(["Venue"]);
});
