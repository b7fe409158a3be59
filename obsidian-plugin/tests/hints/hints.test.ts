import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Coalescer } from "../../src/hints/coalesce";
import { isHidden } from "../../src/hints/listen";
import { Outbox } from "../../src/hints/outbox";
import { SidecarFailure } from "../../src/sidecar/failure";
import { FakeSupervisor, fakeClient, ready, settle } from "../support/fakes";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const timers = {
  set: (action: () => void, ms: number) => window.setTimeout(action, ms),
  clear: (timer: number) => window.clearTimeout(timer),
  now: () => Date.now(),
};

function gather(): { sent: string[][]; coalescer: Coalescer } {
  const sent: string[][] = [];
  return { sent, coalescer: new Coalescer((paths) => void sent.push(paths), timers) };
}

test("a burst is one message, each path once", () => {
  const { sent, coalescer } = gather();
  for (let n = 0; n < 50; n++) coalescer.add(`${n % 5}.md`);
  vi.advanceTimersByTime(299);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(sent).toEqual([["0.md", "1.md", "2.md", "3.md", "4.md"]]);
});

test("changes that never pause are sent every two seconds", () => {
  const { sent, coalescer } = gather();
  for (let ms = 0; ms < 4000; ms += 100) {
    coalescer.add("a.md");
    vi.advanceTimersByTime(100);
  }
  expect(sent.length).toBeGreaterThanOrEqual(1);
  expect(sent.length).toBeLessThanOrEqual(3);
});

test("nothing is left after closing", () => {
  const { sent, coalescer } = gather();
  coalescer.add("a.md");
  coalescer.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(5000);
  expect(sent).toEqual([]);
});

test("hidden folders and Obsidian's own are nobody's notes", () => {
  for (const path of [".trash/a.md", "a/.git/x", "config/a.json", "config"]) {
    expect(isHidden(path, "config"), path).toBe(true);
  }
  for (const path of ["a.md", "a.b/c.md", "configs/a.md"]) expect(isHidden(path, "config"), path).toBe(false);
});

test("what was on its way when the connection was lost goes with the next", async () => {
  const sent: string[][] = [];
  let fails = true;
  const noteChanges = async (paths: string[]) => {
    if (fails) throw new Error("gone");
    sent.push(paths);
    return { accepted: paths.length };
  };
  const supervisor = new FakeSupervisor(ready(fakeClient({ noteChanges })));
  let looked = 0;
  const outbox = new Outbox(supervisor, () => looked++);
  await outbox.send(["a.md"]);
  supervisor.become({ kind: "starting", attempt: 1 });
  expect(outbox.open).toBe(false);
  await outbox.send(["b.md"]);
  expect(sent).toEqual([]);
  fails = false;
  supervisor.become(ready(fakeClient({ noteChanges })));
  await outbox.flush();
  await settle();
  expect(sent).toEqual([["a.md", "b.md"]]);
  expect(looked).toBe(1);
  await outbox.flush();
  expect(sent).toHaveLength(1);
});

test("very many paths go in several messages", async () => {
  const sizes: number[] = [];
  const noteChanges = async (paths: string[]) => ({ accepted: sizes.push(paths.length) });
  const outbox = new Outbox(new FakeSupervisor(ready(fakeClient({ noteChanges }))), () => undefined);
  await outbox.send(Array.from({ length: 1200 }, (_, n) => `${n}.md`));
  expect(sizes).toEqual([500, 500, 200]);
});

test("a path that the sidecar refuses is dropped, and the others go alone", async () => {
  const sent: string[][] = [];
  const noteChanges = async (paths: string[]) => {
    if (paths.includes("bad.md")) throw new SidecarFailure("path_outside_vault", "It is outside.");
    sent.push(paths);
    return { accepted: paths.length };
  };
  const outbox = new Outbox(new FakeSupervisor(ready(fakeClient({ noteChanges }))), () => undefined);
  await outbox.send(["a.md", "bad.md", "b.md"]);
  await outbox.send(["c.md"]);
  expect(sent).toEqual([["a.md"], ["b.md"], ["c.md"]]);
});

test("what a lost connection interrupts among them is kept", async () => {
  let gone = false;
  const sent: string[][] = [];
  const noteChanges = async (paths: string[]) => {
    if (paths.includes("bad.md")) throw new SidecarFailure("invalid_request", "No path.");
    if (gone) throw new SidecarFailure("unauthorized", "Another owner.");
    gone = true;
    sent.push(paths);
    return { accepted: paths.length };
  };
  const outbox = new Outbox(new FakeSupervisor(ready(fakeClient({ noteChanges }))), () => undefined);
  await outbox.send(["a.md", "bad.md", "b.md"]);
  gone = false;
  await outbox.flush();
  expect(sent).toEqual([["a.md"], ["b.md"]]);
});
