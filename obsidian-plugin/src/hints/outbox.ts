/**
 * Hands changed paths to the sidecar. Without one they are dropped, since it compares the vault with its index when it
 * starts; but what was on its way when the connection was lost is sent again, for the sidecar may have stayed alive.
 */
import type { Supervisor } from "../sidecar/supervisor";

/** Paths in one request. */
const MOST_PATHS = 500;

export class Outbox {
  private unsent = new Set<string>();

  constructor(
    private readonly supervisor: Pick<Supervisor, "state">,
    private readonly sent: () => void,
  ) {}

  /** Whether a change is worth noting now. */
  get open(): boolean {
    return this.supervisor.state.kind === "ready";
  }

  /** `paths` were gathered while `open`. */
  async send(paths: readonly string[]): Promise<void> {
    for (const path of paths) this.unsent.add(path);
    await this.flush();
  }

  /** Also after each change of the supervisor's state. */
  async flush(): Promise<void> {
    const { state } = this.supervisor;
    if (state.kind !== "ready" || this.unsent.size === 0) return;
    const paths = [...this.unsent];
    this.unsent = new Set();
    for (let at = 0; at < paths.length; at += MOST_PATHS) {
      try {
        await state.client.noteChanges(paths.slice(at, at + MOST_PATHS));
      } catch {
        // The supervisor sees a lost connection; the next one takes these along.
        for (const path of paths.slice(at)) this.unsent.add(path);
        return;
      }
    }
    this.sent();
  }
}
