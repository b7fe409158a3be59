/** A sync that the person asked for, told in one notice: how far it is, then what came of it. */
import { Notice, type Component } from "obsidian";
import type { Progress, SyncReport } from "../../shared-schemas/zibaldone";
import { asFailure, type Failure } from "./failure";
import { showFailure, showHint } from "./hint";
import type { SidecarClient } from "./sidecar/client";
import { isAbort } from "./sidecar/failure";
import { say, sayCount, type CountedKey } from "./words";

const SHOWN_MS = 6000;

export async function syncNow(
  connect: (signal: AbortSignal) => Promise<SidecarClient>,
  signal: AbortSignal,
  owner: Component,
): Promise<void> {
  const notice = new Notice(say("sync.started"), 0);
  signal.addEventListener("abort", () => notice.hide());
  const show = (...lines: string[]): void =>
    void notice.setMessage(
      createFragment((el) => {
        for (const line of lines) showHint(el.createDiv(), line, owner);
      }),
    );
  const hideLater = (): void => {
    const timer = window.setTimeout(() => notice.hide(), SHOWN_MS);
    signal.addEventListener("abort", () => window.clearTimeout(timer));
  };
  try {
    const client = await connect(signal);
    for await (const event of client.sync({}, signal)) {
      if (event.type === "progress") notice.setMessage(sayProgress(event));
      else if (event.type === "notice") show(event.message);
      else if (event.type === "synced") {
        show(...sayReport(event.report));
        // What is to be done stays until it is clicked away.
        if (event.report.held === 0 && event.report.notes.length === 0) hideLater();
      } else if (event.type === "cancelled") {
        show(say("sync.cancelled"));
        hideLater();
      } else tell(notice, event.error, owner);
    }
  } catch (error) {
    if (isAbort(error)) notice.hide();
    else tell(notice, asFailure(error), owner);
  }
}

/** A failure stays until it is clicked away. */
function tell(notice: Notice, failure: Failure, owner: Component): void {
  notice.setMessage(createFragment((el) => showFailure(el.createDiv(), failure, owner)));
}

export function sayProgress({ stage, done, total }: Progress): string {
  if (stage === "reading") return say("sync.reading", { done, total });
  if (stage === "embedding") return say("sync.embedding", { done, total });
  return say("sync.other", { stage, done, total });
}

/** What changed, in sentences with commands between backticks; each thing once. */
export function sayReport(report: SyncReport): string[] {
  const parts: string[] = [];
  const count = (key: CountedKey, number: number): void => {
    if (number > 0) parts.push(sayCount(key, number));
  };
  count("sync.added", report.added);
  count("sync.changed", report.changed);
  count("sync.renamed", report.renamed);
  count("sync.deleted", report.deleted);
  const changed = parts.length > 0;
  count("sync.skipped", report.skipped.length);
  const summary = changed
    ? say("sync.done", { changes: parts.join(", ") })
    : sayCount("sync.nothing", report.unchanged);
  const held = report.held > 0 ? [sayCount("sync.held", report.held)] : [];
  // The sidecar's own sentence on the notes that are held names the same command.
  const notes = report.notes.filter((note) => held.length === 0 || !note.includes("`zib sync --yes`"));
  return [summary, ...held, ...new Set(notes)];
}
