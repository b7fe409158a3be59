/** Asks the sidecar for its status: often while it works through notes, seldom otherwise, never while nobody can see it. */
import { Component } from "obsidian";
import type { Status } from "../../../shared-schemas/zibaldone";
import type { Supervisor } from "../sidecar/supervisor";
import { Pace } from "./pace";
import { lacks } from "./say";

const TICK_MS = 1000;
const BUSY_MS = 2000;
const QUIET_MS = 30_000;

export class StatusWatch extends Component {
  /** What the sidecar said last; null while there is none. */
  last: Status | null = null;
  readonly pace = new Pace();
  private dueAt = 0;
  private asking = false;
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly supervisor: Pick<Supervisor, "state" | "subscribe">,
    private readonly isHidden: () => boolean,
    private readonly now: () => number = () => Date.now(),
  ) {
    super();
  }

  override onload(): void {
    this.registerInterval(window.setInterval(() => void this.tick(), TICK_MS));
    this.register(this.supervisor.subscribe(() => this.onState()));
  }

  /** Something may have changed: the next tick asks. */
  look(): void {
    this.dueAt = 0;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  async tick(): Promise<void> {
    const { state } = this.supervisor;
    if (state.kind !== "ready" || this.asking || this.now() < this.dueAt || this.isHidden()) return;
    this.asking = true;
    this.dueAt = Infinity;
    try {
      this.take(await state.client.status());
    } catch {
      // The supervisor notices a sidecar that is gone; anything else is asked again later.
    }
    this.asking = false;
    this.dueAt = Math.min(this.dueAt, this.now() + delayAfter(this.last));
  }

  /** A status that somebody else asked for. */
  take(status: Status): void {
    this.last = status;
    this.pace.note(status.notes.pending, this.now());
    this.changed();
  }

  private onState(): void {
    if (this.supervisor.state.kind !== "ready") this.last = null;
    this.look();
    this.changed();
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}

export function delayAfter(status: Status | null): number {
  return status !== null && isBusy(status) ? BUSY_MS : QUIET_MS;
}

/** Notes that wait for a model which is not there are no work. */
export function isBusy(status: Pick<Status, "sync_state" | "notes" | "models">): boolean {
  const waiting = status.notes.pending > 0 && !lacks(status, "embed");
  return status.sync_state === "running" || (status.sync_state === "idle" && waiting);
}
