/** A report to send along with a question for help. It holds no text and no name of a note. Pure. */
import type { DoctorReport, Status } from "../../../shared-schemas/zibaldone";
import type { SidecarState } from "../sidecar/state";

export interface Surroundings {
  readonly plugin: string;
  readonly obsidian: string;
  readonly platform: string;
  readonly language: string;
}

export function writeReport(
  around: Surroundings,
  state: SidecarState,
  status: Status | null,
  doctor: DoctorReport | null,
): string {
  const lines = [
    `plugin ${around.plugin}, Obsidian ${around.obsidian}, ${around.platform}, ${around.language}`,
    `sidecar: ${state.kind}${"failure" in state ? ` (${state.failure.code})` : ""}`,
  ];
  if (status) lines.push(...describeStatus(status));
  // What doctor says in words can hold paths: only which of its looks failed is told.
  for (const { name, ok } of doctor?.findings ?? []) lines.push(`doctor: ${name}: ${ok ? "ok" : "NOT OK"}`);
  return lines.join("\n");
}

function describeStatus({
  owner,
  notes,
  chunks,
  vectors,
  models,
  git,
  disk_bytes: bytes,
  sync_state: sync,
}: Status): string[] {
  return [
    `version ${owner?.version ?? "?"}, protocol ${owner?.protocol ?? "?"}`,
    `notes: ${notes.indexed} indexed, ${notes.pending} pending, ${notes.skipped} skipped, ${notes.failed} failed`,
    `passages ${chunks}, vectors ${vectors}, ${bytes} bytes, sync ${sync}`,
    `git: ${git.state}, ${git.queued_commits} waiting`,
    ...Object.values(models).map(({ role, model, state }) => `model ${role}: ${model ?? "none"}, ${state}`),
  ];
}
