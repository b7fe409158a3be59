import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Status } from "../../../shared-schemas/zibaldone";
import { fail } from "../../src/sidecar/failure";
import { sayBar, sayIndex, sayState } from "../../src/status/say";
import { delayAfter, StatusWatch } from "../../src/status/watch";
import { example } from "../support/examples";
import { FakeSupervisor, fakeClient, ready } from "../support/fakes";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const typical = example<Status>("Status.typical");
const status = (over: Partial<Status["notes"]>, sync_state: Status["sync_state"] = "idle"): Status => ({
  ...typical,
  models: {},
  sync_state,
  notes: { ...typical.notes, ...over },
});

test("the bar says what there is", () => {
  expect(sayBar({ kind: "stopped" }, null)).toBe("Zibaldone: off");
  expect(sayBar({ kind: "starting", attempt: 1 }, null)).toBe("Zibaldone: starting…");
  const failure = fail("unreachable", "sidecar.unreachable");
  expect(sayBar({ kind: "failed", failure }, null)).toBe("Zibaldone: no sidecar");
  expect(sayBar({ kind: "waiting", failure, retryAt: 0, attempt: 1 }, null)).toBe("Zibaldone: no sidecar");
  expect(sayBar(ready(), typical)).toBe("416 notes indexed");
  expect(sayBar(ready(), status({ indexed: 3176, pending: 2764 }))).toBe("412 of 3,176 notes");
  expect(sayBar(ready(), status({ pending: 3 }, "paused"))).toBe("Indexing paused");
});

test("pane and dialog say it at more length", () => {
  expect(sayIndex(status({ indexed: 1 }))).toBe("1 note indexed");
  expect(sayIndex(status({ indexed: 0 }))).toBe("No note is indexed yet.");
  expect(sayIndex(status({ indexed: 10, pending: 4 }))).toContain("6 of 10");
  expect(sayState({ kind: "starting", attempt: 2 })).toBe("Starting the sidecar, attempt 2…");
});

test("busy is asked often, quiet seldom", () => {
  expect(delayAfter(status({ pending: 1 }))).toBe(2000);
  expect(delayAfter(status({}, "running"))).toBe(2000);
  expect(delayAfter(status({ pending: 1 }, "paused"))).toBe(30_000);
  expect(delayAfter(typical)).toBe(30_000);
  expect(delayAfter(null)).toBe(30_000);
});

test("asks by one timer, not while hidden, at once after a look, and never after its end", async () => {
  let asked = 0;
  let hidden = false;
  const client = fakeClient({ status: async () => (asked++, typical) });
  const supervisor = new FakeSupervisor();
  const watch = new StatusWatch(supervisor, () => hidden);
  watch.load();
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked).toBe(0);
  supervisor.become(ready(client));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toBe(1);
  expect(watch.last).toEqual(typical);
  watch.look();
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toBe(2);
  hidden = true;
  await vi.advanceTimersByTimeAsync(120_000);
  expect(asked).toBe(2);
  hidden = false;
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toBe(3);
  supervisor.become({ kind: "starting", attempt: 1 });
  expect(watch.last).toBeNull();
  watch.unload();
  expect(vi.getTimerCount()).toBe(0);
  expect(supervisor.listening).toBe(0);
});

test("a look during a request is not lost", async () => {
  let asked = 0;
  let answer: (status: Status) => void = () => undefined;
  const client = fakeClient({ status: () => (asked++, new Promise((resolve) => (answer = resolve))) });
  const watch = new StatusWatch(new FakeSupervisor(ready(client)), () => false);
  void watch.tick();
  watch.look();
  answer(typical);
  await vi.advanceTimersByTimeAsync(0);
  void watch.tick();
  expect(asked).toBe(2);
});

test("notes that wait for a model which is not there are no work under way", () => {
  const { models } = typical; // without the one for embedding
  const waiting = { ...status({ indexed: 41, pending: 41 }), models };
  expect(sayIndex(waiting)).toBe("41 notes indexed, to be found by their words only");
  expect(sayBar(ready(), waiting)).toBe("41 notes indexed");
  expect(delayAfter(waiting)).toBe(30_000);
});
