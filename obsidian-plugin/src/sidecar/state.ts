/** What the supervisor shows, and its policy: when to try again, and when to stop. Pure. */
import type { Handshake } from "../../../shared-schemas/zibaldone";
import { say } from "../words";
import type { SidecarClient } from "./client";
import { SidecarFailure } from "./failure";

/**
 * `attempt` counts from 1. `owned`: the sidecar is a child of this window and ends with it; otherwise another window or
 * a terminal owns it. `retryAt` is in milliseconds since the epoch.
 */
export type SidecarState =
  | { kind: "stopped" }
  | { kind: "starting"; attempt: number }
  | { kind: "ready"; client: SidecarClient; handshake: Handshake; owned: boolean }
  | { kind: "waiting"; failure: SidecarFailure; retryAt: number; attempt: number }
  | { kind: "failed"; failure: SidecarFailure };

/** The state, and when it failed before; only the failures within `WINDOW_MS` count. */
export interface Supervision {
  readonly state: SidecarState;
  readonly failures: readonly number[];
}

export type Happening =
  | { kind: "start" }
  | { kind: "opened"; client: SidecarClient; handshake: Handshake; owned: boolean }
  | { kind: "failure"; failure: SidecarFailure }
  | { kind: "asked" } // the person wants a start, whatever was before
  | { kind: "closed" };

export const UNTOUCHED: Supervision = { state: { kind: "stopped" }, failures: [] };

const WINDOW_MS = 10 * 60_000;
const MOST_FAILURES = 5;
const FIRST_PAUSE_MS = 1_000;
const BUSY_PAUSE_MS = 2_000;

/** Codes of failures at a start that another try may mend, though a single request would not be repeated. */
const WORTH_ANOTHER_START: ReadonlySet<string> = new Set(["internal"]);

/**
 * What follows from a happening at `now` (milliseconds since the epoch).
 *
 * The n-th failure within ten minutes is followed by a pause of 2^(n-1) seconds, the fifth by none: then it is given up.
 * So a sidecar that was healthy for long starts from the beginning.
 */
export function follow(before: Supervision, happening: Happening, now: number): Supervision {
  const failures = before.failures.filter((at) => at > now - WINDOW_MS);
  switch (happening.kind) {
    case "start":
      return { state: { kind: "starting", attempt: failures.length + 1 }, failures };
    case "asked":
      return { state: { kind: "starting", attempt: 1 }, failures: [] };
    case "opened": {
      const { client, handshake, owned } = happening;
      return { state: { kind: "ready", client, handshake, owned }, failures };
    }
    case "failure":
      return judge(happening.failure, failures, now);
    case "closed":
      return UNTOUCHED;
  }
}

function judge(failure: SidecarFailure, earlier: readonly number[], now: number): Supervision {
  if (failure.code === "busy") {
    const state = { kind: "waiting", failure, retryAt: now + BUSY_PAUSE_MS, attempt: earlier.length + 1 } as const;
    return { state, failures: earlier };
  }
  const failures = [...earlier, now];
  if (!failure.retryable && !WORTH_ANOTHER_START.has(failure.code)) {
    return { state: { kind: "failed", failure }, failures };
  }
  if (failures.length >= MOST_FAILURES) return { state: { kind: "failed", failure: giveUp(failure) }, failures };
  const pause = FIRST_PAUSE_MS * 2 ** (failures.length - 1);
  return { state: { kind: "waiting", failure, retryAt: now + pause, attempt: failures.length + 1 }, failures };
}

/** Says why: the last failure, and what it advised unless that was to wait. */
function giveUp(last: SidecarFailure): SidecarFailure {
  const message = say("sidecar.gaveUp", {
    times: MOST_FAILURES,
    minutes: WINDOW_MS / 60_000,
    reason: last.message,
  });
  return new SidecarFailure("gave_up", message, say("sidecar.gaveUp.hint"), false, last.details);
}
