/**
 * Notices a sidecar that hangs: nothing has come for a while, and it does not answer a question beside it either. One
 * that reads for a minute on a slow machine does answer.
 */
import { windowClock, within, type Clock } from "../sidecar/clock";

/** Together the half minute after which the person is told. */
const QUIET_MS = 20_000;
const ANSWER_MS = 10_000;

export class Silence {
  private cancel: () => void = () => undefined;
  private asked = new AbortController();

  constructor(
    private readonly ask: (signal: AbortSignal) => Promise<unknown>,
    /** `silent`: it does not answer; false: now it does. */
    private readonly tell: (silent: boolean) => void,
    private readonly clock: Clock = windowClock,
  ) {
    this.wait();
  }

  /** Something came. */
  broken(): void {
    this.end();
    this.wait();
  }

  /** For good, unless it is broken again. */
  end(): void {
    this.cancel();
    this.asked.abort();
  }

  private wait(): void {
    this.cancel = this.clock.after(QUIET_MS, () => void this.look());
  }

  private async look(): Promise<void> {
    const asked = (this.asked = new AbortController());
    const answers = within(this.clock, ANSWER_MS, this.ask(asked.signal), () => new Error("Late."), asked.signal);
    const silent = await answers.then(
      () => false,
      () => true,
    );
    if (asked.signal.aborted) return;
    asked.abort();
    this.tell(silent);
    this.wait();
  }
}
