/** A coverage report as one list. Pure. */
import type { Coverage } from "../../../shared-schemas/zibaldone";

export type CoverState = "indexed" | "pending" | "skipped" | "failed" | "partial";
export const STATES: readonly CoverState[] = ["indexed", "pending", "skipped", "failed", "partial"];

export interface CoveredNote {
  readonly path: string;
  readonly state: CoverState;
  /** Why it is skipped, failed or not whole; empty otherwise. */
  readonly reason: string;
}

/** By path within each state; of a note that is not whole, each part that could not be read. */
export function listCoverage({ indexed, pending, skipped, failed, problems }: Coverage): CoveredNote[] {
  const plain = (paths: readonly string[], state: CoverState) => paths.map((path) => ({ path, state, reason: "" }));
  const told = (files: readonly { path: string; reason: string }[], state: CoverState) =>
    files.map(({ path, reason }) => ({ path, state, reason }));
  return [
    ...plain(indexed, "indexed"),
    ...plain(pending, "pending"),
    ...told(skipped, "skipped"),
    ...told(failed, "failed"),
    ...told(problems, "partial"),
  ];
}
