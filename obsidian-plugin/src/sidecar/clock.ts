/** Time as an argument, so that tests hold it still. */

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `action` after `ms`, unless the function that it returns is called before. */
  after(ms: number, action: () => void): () => void;
}

export const windowClock: Clock = {
  now: () => Date.now(),
  after(ms, action) {
    const timer = window.setTimeout(action, ms);
    return () => window.clearTimeout(timer);
  },
};

/** `work`, unless `signal` is aborted or `ms` have passed; then it rejects with the reason or with `late()`. */
export function within<T>(
  clock: Clock,
  ms: number,
  work: Promise<T>,
  late: () => Error,
  signal: AbortSignal = new AbortController().signal,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(reasonOf(signal));
    const cancel = clock.after(ms, () => reject(late()));
    const settled = () => {
      cancel();
      signal.removeEventListener("abort", abort);
    };
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
    work.then(resolve, reject).finally(settled);
  });
}

/** What to throw where `signal` was aborted: an `AbortError`, unless another reason was given. */
export function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new DOMException("Aborted.", "AbortError");
}
