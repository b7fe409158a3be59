/** How long it will take, from how fast it went. Pure. */

interface Sample {
  readonly at: number;
  readonly pending: number;
}

/** Samples are kept this long; what was slow before says nothing of now. */
const KEPT_MS = 120_000;
/** An estimate needs this much of the past. */
const LEAST_MS = 5_000;

export class Pace {
  private samples: Sample[] = [];

  /** `pending` things are left at `at` (milliseconds). */
  note(pending: number, at: number): void {
    const last = this.samples.at(-1);
    // More than before: new work came, and the old rate counts on from here.
    if (pending === 0 || (last && pending > last.pending)) this.samples = [];
    this.samples = [...this.samples.filter((sample) => sample.at > at - KEPT_MS), { at, pending }];
  }

  /** Milliseconds that are left; null where that is not known. */
  get left(): number | null {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (!first || !last || last.at - first.at < LEAST_MS || first.pending <= last.pending) return null;
    return (last.pending * (last.at - first.at)) / (first.pending - last.pending);
  }
}
