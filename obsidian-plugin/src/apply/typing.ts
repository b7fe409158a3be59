/** Knows when somebody typed in which note last, and waits until they pause. */
import { Component, type App } from "obsidian";

/** A key that is younger than this says that its writer is in the middle of something. */
export const QUIET_MS = 2000;

export class TypingWatch extends Component {
  private readonly lastKey = new Map<string, number>();
  private readonly waiting = new Set<() => void>();
  private landing = false;

  constructor(
    private readonly app: App,
    private readonly now: () => number = () => Date.now(),
  ) {
    super();
  }

  override onload(): void {
    this.registerEvent(
      this.app.workspace.on("editor-change", (_editor, info) => {
        if (!this.landing && info.file) this.lastKey.set(info.file.path, this.now());
      }),
    );
    this.register(() => {
      for (const wake of [...this.waiting]) wake();
    });
  }

  isTyping(path: string): boolean {
    return this.msToGo(path) > 0;
  }

  /** Resolves once nobody has typed in the note for a while, or this is unloaded. */
  async pause(path: string): Promise<void> {
    for (let ms = this.msToGo(path); ms > 0; ms = this.msToGo(path)) {
      if (!(await this.sleep(ms))) return;
    }
  }

  /** A change of ours, which is no typing. */
  land(change: () => void): void {
    this.landing = true;
    try {
      change();
    } finally {
      this.landing = false;
    }
  }

  private msToGo(path: string): number {
    return (this.lastKey.get(path) ?? -Infinity) + QUIET_MS - this.now();
  }

  /** False where it was cut short. */
  private sleep(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (whole: boolean) => () => {
        window.clearTimeout(timer);
        this.waiting.delete(cut);
        resolve(whole);
      };
      const cut = end(false);
      const timer = window.setTimeout(end(true), ms);
      this.waiting.add(cut);
    });
  }
}
