/** Tells the sidecar what somebody opened or accepted; it counts that where the person wants it. */
import type { TouchRequest } from "../../../shared-schemas/zibaldone";
import type { Supervisor } from "./supervisor";

/** `targets` are ids of passages or events. Where it cannot be counted, what was done is done all the same. */
export function touch(
  { state }: Pick<Supervisor, "state">,
  targets: readonly string[],
  kind: TouchRequest["kind"] = "open",
): void {
  if (state.kind !== "ready" || targets.length === 0) return;
  state.client.touch({ targets: [...targets], kind }).catch(() => undefined);
}
