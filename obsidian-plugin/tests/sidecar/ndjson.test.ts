import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { decodeLines, MOST_LINE_BYTES } from "../../src/sidecar/ndjson";
import { checkEvent } from "../../src/sidecar/wire";
import { seededRandom } from "./support";

/** The bytes of a real answer; it holds umlauts, Japanese and an emoji. */
const recorded = new Uint8Array(readFileSync("tests/sidecar/answer.ndjson"));
const events = new TextDecoder()
  .decode(recorded)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as unknown);

async function* give(...chunks: (Uint8Array | string)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
}

async function collect(chunks: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>): Promise<unknown[]> {
  const found = [];
  for await (const value of decodeLines(chunks)) found.push(value);
  return found;
}

function splitAt(bytes: Uint8Array, cuts: number[]): Uint8Array[] {
  const ends = [...cuts.sort((a, b) => a - b), bytes.length];
  return ends.map((end, i) => bytes.slice(ends[i - 1] ?? 0, end));
}

test("the recording is a whole answer with characters of two, three and four bytes", () => {
  expect(events.map((event) => (event as { type: string }).type)).toEqual([
    "started",
    "retrieved",
    ...Array<string>(12).fill("token"),
    "answered",
  ]);
  expect(events.map(checkEvent)).toEqual([...Array<string>(14).fill("event"), "last event"]);
  for (const lead of [0xc3, 0xe6, 0xf0]) expect(recorded).toContain(lead);
});

test("1,000 random splits of a recorded stream decode to the same events", async () => {
  const random = seededRandom(20_261_130);
  let insideACharacter = 0;
  for (let round = 0; round < 1_000; round += 1) {
    const cuts = Array.from({ length: 1 + Math.floor(random() * 200) }, () => Math.floor(random() * recorded.length));
    insideACharacter += cuts.filter((cut) => ((recorded[cut] ?? 0) & 0xc0) === 0x80).length;
    expect(await collect(give(...splitAt(recorded, cuts)))).toEqual(events);
  }
  expect(insideACharacter).toBeGreaterThan(1_000);
});

test("every byte on its own", async () => {
  expect(await collect(give(...splitAt(recorded, [...recorded.keys()])))).toEqual(events);
});

test("a ReadableStream, and it is cancelled when the loop is left", async () => {
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(recorded),
    cancel: () => void (cancelled = true),
  });
  for await (const value of decodeLines(stream)) {
    expect(value).toEqual(events[0]);
    break;
  }
  expect(cancelled).toBe(true);
});

test.each([
  ["CRLF, also cut in two", ["1\r", "\n2\r\n"], [1, 2]],
  ["empty and blank lines", ["\n\n1\n \n\r\n2\n"], [1, 2]],
  ["no last newline", ["1\n", "2"], [1, 2]],
  ["nothing", [], []],
  ["empty chunks", ["", "1", "", "\n", ""], [1]],
  ["a line separator within a string is no newline", ['"a\u2028b"\n'], ["a\u2028b"]],
])("%s", async (_, chunks, expected) => {
  expect(await collect(give(...chunks))).toEqual(expected);
});

test.each([
  ["no JSON", ["1\nnonsense\n"], "bad_reply"],
  ["no UTF-8", [new Uint8Array([0x22, 0xff, 0x22, 0x0a])], "bad_reply"],
  ["cut off within a line", ['{"type": "tok'], "interrupted"],
  ["cut off within a character", [new Uint8Array([0x22, 0xc3])], "interrupted"],
])("%s fails with %s", async (_, chunks, code) => {
  await expect(collect(give(...chunks))).rejects.toMatchObject({ name: "SidecarFailure", code });
});

test("a line without end is given up", async () => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) yield new Uint8Array(1024 * 1024).fill(0x20);
  }
  await expect(collect(endless())).rejects.toMatchObject({ code: "bad_reply" });
  expect(MOST_LINE_BYTES).toBe(16 * 1024 * 1024);
});
