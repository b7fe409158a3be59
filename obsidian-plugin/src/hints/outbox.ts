/**
 * Hands changed paths to the sidecar. Without one they are dropped, since it compares the vault with its index when it
 * starts; but what was on its way when the connection was lost is sent again, for the sidecar may have stayed alive.
 */
import { SidecarFailure } from "../sidecar/failure";
import type { Supervisor } from "../sidecar/supervisor";

/** Paths in one request. */
const MOST_PATHS = 500;

/** Codes that say: not this path, now or ever. */
const REFUSALS: ReadonlySet<string> = new Set(["path_outside_vault", "invalid_request"]);

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
    const requests = inRequests([...this.unsent]);
    this.unsent = new Set();
    for (let paths; (paths = requests.shift());) {
      try {
        await state.client.noteChanges(paths);
      } catch (error) {
        if (!isRefusal(error)) {
          // The supervisor sees a lost connection; the next one takes these along.
          for (const path of [paths, ...requests].flat()) this.unsent.add(path);
          return;
        }
        // One path spoils the request: alone, it is dropped.
        if (paths.length > 1) requests.unshift(...paths.map((path) => [path]));
      }
    }
    this.sent();
  }
}

function inRequests(paths: readonly string[]): string[][] {
  const count = Math.ceil(paths.length / MOST_PATHS);
  return Array.from({ length: count }, (_, n) => paths.slice(n * MOST_PATHS, (n + 1) * MOST_PATHS));
}

function isRefusal(error: unknown): boolean {
  return error instanceof SidecarFailure && REFUSALS.has(error.code);
}
