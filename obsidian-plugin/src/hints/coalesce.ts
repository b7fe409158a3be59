/** Gathers changed paths into few messages: after a moment of quiet, but not later than a while after the first. Pure. */
export interface Timers {
  set(action: () => void, ms: number): number;
  clear(timer: number): void;
  now(): number;
}

const QUIET_MS = 300;
const LONGEST_MS = 2000;

export class Coalescer {
  private readonly paths = new Set<string>();
  private timer: number | null = null;
  private firstAt = 0;

  constructor(
    private readonly send: (paths: string[]) => void,
    private readonly timers: Timers,
  ) {}

  add(...paths: string[]): void {
    const now = this.timers.now();
    if (this.paths.size === 0) this.firstAt = now;
    for (const path of paths) this.paths.add(path);
    if (this.timer !== null) this.timers.clear(this.timer);
    const wait = Math.max(0, Math.min(QUIET_MS, this.firstAt + LONGEST_MS - now));
    this.timer = this.timers.set(() => this.flush(), wait);
  }

  /** Forgets what waits. */
  close(): void {
    if (this.timer !== null) this.timers.clear(this.timer);
    this.timer = null;
    this.paths.clear();
  }

  private flush(): void {
    const paths = [...this.paths];
    this.close();
    this.send(paths);
  }
}
