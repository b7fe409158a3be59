import { expect, test } from "vitest";
import { SidecarFailure, fail } from "../../src/sidecar/failure";
import { follow, UNTOUCHED, type Supervision } from "../../src/sidecar/state";

const crash = () => fail("crashed", "sidecar.crashed", { reason: "exit code 1." }, "the last line");
const minute = 60_000;

/** Failures at these times, each after a start. */
function failAt(times: number[], failure = crash(), from: Supervision = UNTOUCHED): Supervision {
  return times.reduce(
    (before, now) => follow(follow(before, { kind: "start" }, now), { kind: "failure", failure }, now),
    from,
  );
}

test("pauses double, and the fifth failure within ten minutes is the last", () => {
  const pauses = [1, 2, 3, 4].map((n) => {
    const { state } = failAt(Array<number>(n).fill(7_000));
    return state.kind === "waiting" && [state.retryAt - 7_000, state.attempt];
  });
  expect(pauses).toEqual([
    [1_000, 2],
    [2_000, 3],
    [4_000, 4],
    [8_000, 5],
  ]);
  const { state } = failAt(Array<number>(5).fill(7_000));
  expect(state).toMatchObject({ kind: "failed", failure: { code: "gave_up", details: "the last line" } });
  expect(state.kind === "failed" && state.failure.message).toBe(
    "The sidecar failed 5 times within 10 minutes and is not started again. " +
      "Last: The sidecar ended unexpectedly: exit code 1.",
  );
});

test("a sidecar that was healthy for long starts from the beginning", () => {
  const { state } = failAt([0, 1, 2, 3, 10 * minute + 4]);
  expect(state).toMatchObject({ kind: "waiting", attempt: 2, retryAt: 10 * minute + 4 + 1_000 });
});

test("one that was healthy for a while does not", () => {
  expect(failAt([0, 2, 4, 6, 8].map((n) => n * minute)).state.kind).toBe("failed");
});

test("the person's wish clears the budget", () => {
  const asked = follow(failAt([0, 0, 0, 0, 0]), { kind: "asked" }, 1);
  expect(asked).toEqual({ state: { kind: "starting", attempt: 1 }, failures: [] });
  expect(failAt([2], crash(), asked).state).toMatchObject({ kind: "waiting", attempt: 2 });
});

test("busy is tried again and does not count", () => {
  const busy = fail("busy", "sidecar.busy");
  const { state, failures } = failAt(Array<number>(50).fill(5), busy);
  expect(state).toMatchObject({ kind: "waiting", retryAt: 2_005, attempt: 1 });
  expect(failures).toEqual([]);
});

test.each(["zib_missing", "protocol_mismatch", "wrong_vault", "bad_reply", "invalid_request", "store_newer"])(
  "%s is not tried again",
  (code) => {
    expect(failAt([0], new SidecarFailure(code, "No.")).state.kind).toBe("failed");
  },
);

test.each(["unreachable", "crashed", "internal"])("%s is", (code) => {
  const retryable = code !== "internal";
  expect(failAt([0], new SidecarFailure(code, "No.", "", retryable)).state.kind).toBe("waiting");
});
