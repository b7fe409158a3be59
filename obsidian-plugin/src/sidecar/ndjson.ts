/** Values out of newline-delimited JSON whose bytes come cut anywhere, also inside a character. */
import { fail } from "./failure";

export const MOST_LINE_BYTES = 16 * 1024 * 1024;

const NEWLINE = 0x0a;

/**
 * One value per line, empty lines left out. Leaving the loop cancels a stream, and so does `signal`, also while its next
 * bytes are waited for: then it ends as if the source had.
 *
 * Throws `SidecarFailure`: `bad_reply` for a line that is too long, no UTF-8 or no JSON; `interrupted` where the source
 * ends within a line.
 */
export async function* decodeLines(
  chunks: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<unknown, void> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const chunk of "getReader" in chunks ? readStream(chunks, signal) : chunks) {
    let start = 0;
    // No byte of a longer UTF-8 sequence looks like a newline, so lines are cut before they are decoded.
    for (let end; (end = chunk.indexOf(NEWLINE, start)) >= 0; start = end + 1) {
      const line = joinBytes([...held, chunk.subarray(start, end)]);
      held = [];
      heldBytes = 0;
      const text = decode(line).trim();
      if (text !== "") yield parse(text);
    }
    if (start < chunk.length) {
      held.push(chunk.slice(start));
      heldBytes += chunk.length - start;
      if (heldBytes > MOST_LINE_BYTES) throw fail("bad_reply", "sidecar.badReply");
    }
  }
  yield* decodeLast(joinBytes(held));
}

/** A last line without its newline is either whole or was cut off. */
function* decodeLast(line: Uint8Array): Generator<unknown, void> {
  let value: unknown;
  try {
    const text = decode(line).trim();
    if (text === "") return;
    value = parse(text);
  } catch {
    throw fail("interrupted", "sidecar.interrupted");
  }
  yield value;
}

/** Not every Electron that Obsidian runs in can iterate over a stream itself. */
async function* readStream(stream: ReadableStream<Uint8Array>, signal?: AbortSignal): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader();
  // Of a stream that failed, the failure is thrown by `read`.
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal?.addEventListener("abort", cancel);
  try {
    for (let step; !(step = await reader.read()).done;) yield step.value;
  } finally {
    signal?.removeEventListener("abort", cancel);
    cancel();
  }
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function decode(line: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(line);
  } catch {
    throw fail("bad_reply", "sidecar.badReply");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw fail("bad_reply", "sidecar.badReply");
  }
}
