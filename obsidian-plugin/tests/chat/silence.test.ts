import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Silence } from "../../src/chat/silence";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function listen(ask: () => Promise<unknown>): { told: boolean[]; silence: Silence } {
  const told: boolean[] = [];
  return { told, silence: new Silence(ask, (silent) => told.push(silent)) };
}

test("a sidecar that hangs is told after half a minute, and not before", async () => {
  const { told, silence } = listen(() => new Promise(() => undefined));
  await vi.advanceTimersByTimeAsync(15_000);
  silence.broken();
  await vi.advanceTimersByTimeAsync(29_000);
  expect(told).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(told).toEqual([true]);
  silence.end();
  expect(vi.getTimerCount()).toBe(0);
});

test("one that answers beside its work only works; one that wakes up is told", async () => {
  let hangs = false;
  const { told, silence } = listen(() => (hangs ? new Promise(() => undefined) : Promise.resolve()));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(told).toEqual([false]);
  hangs = true;
  await vi.advanceTimersByTimeAsync(30_000);
  hangs = false;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(told).toEqual([false, true, false]);
  silence.end();
});

test("what ends meanwhile tells nothing", async () => {
  const { told, silence } = listen(() => new Promise(() => undefined));
  await vi.advanceTimersByTimeAsync(21_000);
  silence.end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
