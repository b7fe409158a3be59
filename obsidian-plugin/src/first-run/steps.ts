/** The first steps, and how far one is with each of them. Pure. */
import type { Status } from "../../../shared-schemas/zibaldone";
import type { SidecarState } from "../sidecar/state";
import { lacks } from "../status/say";

export const STEPS = ["program", "git", "models", "index", "question"] as const;
export type StepName = (typeof STEPS)[number];
/** `optional` is to do, but nothing waits for it. */
export type StepState = "done" | "now" | "working" | "optional" | "later";

export interface Step {
  readonly name: StepName;
  readonly state: StepState;
}

/** From the first to the last; at most one is `now` or `working`, and what comes after it is `later`. */
export function planSteps(state: SidecarState, status: Status | null): Step[] {
  let open = true;
  return STEPS.map((name) => {
    if (!open) return { name, state: "later" };
    const now = stateOf(name, state, status);
    if (now === "now" || now === "working") open = false;
    return { name, state: now };
  });
}

function stateOf(name: StepName, state: SidecarState, status: Status | null): StepState {
  switch (name) {
    case "program":
      return state.kind === "ready" ? "done" : state.kind === "starting" ? "working" : "now";
    case "git":
      if (!status) return "working";
      return status.git.state === "none" || status.git.state === "unavailable" ? "now" : "done";
    case "models":
      return status && (lacks(status, "chat") || lacks(status, "embed")) ? "optional" : "done";
    case "index":
      return status && isSearchable(status) ? "done" : "working";
    case "question":
      return "now";
  }
}

/** Whether something can be found: by meaning where there is a model for it, by words otherwise. */
function isSearchable(status: Status): boolean {
  const { notes } = status;
  return notes.indexed > 0 && (lacks(status, "embed") || (notes.pending === 0 && status.sync_state !== "running"));
}
