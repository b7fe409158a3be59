import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { PROTOCOL } from "../../../shared-schemas/zibaldone";
import { SidecarClient } from "../../src/sidecar/client";
import { isAbort, type SidecarFailure } from "../../src/sidecar/failure";
import { urlOf } from "./support";

const URL_ = "http://127.0.0.1:4711";
const never = () => new AbortController().signal;
const recorded = new Uint8Array(readFileSync("tests/sidecar/answer.ndjson"));

interface Sent {
  url: string;
  init: RequestInit;
}

/** A client whose requests are answered by `answer`. */
function connect(answer: (sent: Sent) => Promise<Response> | Response) {
  const sent: Sent[] = [];
  const lost: string[] = [];
  const client = new SidecarClient({
    url: URL_,
    token: "secret",
    onLost: (failure) => lost.push(failure.code),
    fetch: async (url, init = {}) => {
      const request = { url: urlOf(url), init };
      sent.push(request);
      return answer(request);
    },
  });
  return { client, sent, lost };
}

/** A body that gives `chunks`, then ends, breaks or stays open; it notes whether its connection was closed. */
function body(chunks: Uint8Array[], then: "end" | "break" | "stay", signal?: AbortSignal | null) {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      if (then === "end") controller.close();
      signal?.addEventListener("abort", () => {
        if (then === "stay") controller.error(new DOMException("Aborted.", "AbortError"));
      });
    },
    pull(controller) {
      if (then === "break") controller.error(new TypeError("terminated"));
    },
  });
}

const bytes = (...lines: unknown[]) =>
  new TextEncoder().encode(lines.map((line) => JSON.stringify(line) + "\n").join(""));

async function collect(stream: AsyncGenerator<{ type: string }, void>, seen: string[] = []): Promise<string[]> {
  for await (const event of stream) seen.push(event.type);
  return seen;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test("a request carries the token, the protocol and, with a body, its type", async () => {
  const { client, sent } = connect(() => Response.json({ accepted: 2 }));
  await expect(client.noteChanges(["a.md", "b.md"])).resolves.toEqual({ accepted: 2 });
  expect(sent[0]).toMatchObject({
    url: `${URL_}/v1/vault/changes`,
    init: {
      method: "POST",
      body: '{"paths":["a.md","b.md"]}',
      redirect: "error",
      credentials: "omit",
      headers: {
        Authorization: "Bearer secret",
        "X-Zibaldone-Protocol": String(PROTOCOL),
        "Content-Type": "application/json",
      },
    },
  });
});

test("one without a body has no type", async () => {
  const { client, sent } = connect(() => Response.json({ jobs: [] }));
  await client.jobs();
  expect(sent[0]?.init.headers).not.toHaveProperty("Content-Type");
  expect(sent[0]?.init).not.toHaveProperty("body");
});

test.each([
  "Handshake",
  "Health",
  "Status",
  "ConfigReport",
  "DoctorReport",
  "Jobs",
  "Conversations",
  "SearchResponse",
  "Memory",
  "Remembered",
  "Forgotten",
  "Undone",
  "Agenda",
])("the golden %s is read", async (name) => {
  const files: Record<string, string> = {
    Jobs: "running",
    Conversations: "one",
    SearchResponse: "hit",
    Remembered: "unsure",
    Forgotten: "one",
    Agenda: "three",
  };
  const file = files[name] ?? "typical";
  const golden: unknown = JSON.parse(readFileSync(`../shared-schemas/examples/${name}.${file}.json`, "utf8"));
  const { client } = connect(() => Response.json(golden));
  const calls: Record<string, () => Promise<unknown>> = {
    Handshake: () => client.handshake(),
    Health: () => client.health(),
    Status: () => client.status(),
    ConfigReport: () => client.config(),
    DoctorReport: () => client.doctor(),
    Jobs: () => client.jobs(),
    Conversations: () => client.conversations(),
    SearchResponse: () => client.search({ query: "x" }),
    Memory: () => client.memory(true),
    Remembered: () => client.editMemory("d1c2a3b4", { type: "user" }),
    Forgotten: () => client.forgetMemory(["3f9a1c20"]),
    Undone: () => client.undo(4),
    Agenda: () => client.agenda({}),
  };
  await expect(calls[name]?.()).resolves.toEqual(golden);
});

test("the sidecar's own failure comes through as it is", async () => {
  const error = { code: "model_missing", message: "No chat model.", hint: "Run `zib models pull`.", retryable: false };
  const { client, lost } = connect(() => Response.json({ error }, { status: 503 }));
  await expect(client.status()).rejects.toMatchObject(error);
  await expect(collect(client.ask({ question: "?" }, never()))).rejects.toMatchObject(error);
  expect(lost).toEqual([]);
});

test.each([
  ["nobody listens", () => Promise.reject(new TypeError("Failed to fetch")), "unreachable", ["unreachable"]],
  ["a page of somebody else", () => new Response("<html>", { status: 404 }), "bad_reply", []],
  ["no JSON", () => new Response("hello"), "bad_reply", []],
  ["another document", () => Response.json({ hello: 1 }), "bad_reply", []],
  ["the body breaks off", () => new Response(body([bytes(1)], "break")), "unreachable", ["unreachable"]],
] as const)("%s: a request fails with %s", async (_, answer, code, noted) => {
  const { client, lost } = connect(answer);
  await expect(client.status()).rejects.toMatchObject({ name: "SidecarFailure", code });
  expect(lost).toEqual(noted);
});

test("a new token means that the sidecar is another one", async () => {
  const error = { code: "unauthorized", message: "The token is wrong.", hint: "", retryable: false };
  const { client, lost } = connect(() => Response.json({ error }, { status: 401 }));
  await expect(client.status()).rejects.toMatchObject({ code: "unauthorized" });
  expect(lost).toEqual(["unauthorized"]);
});

test("a request can be aborted, and is bounded", async () => {
  const connections: (AbortSignal | null | undefined)[] = [];
  const { client, lost } = connect(
    ({ init }) =>
      new Promise((_, reject) => {
        connections.push(init.signal);
        init.signal?.addEventListener("abort", () => reject(new DOMException("Aborted.", "AbortError")));
      }),
  );
  const unwanted = new AbortController();
  const search = client.search({ query: "x" }, unwanted.signal);
  unwanted.abort();
  expect(isAbort(await search.catch((error: unknown) => error))).toBe(true);
  await expect(client.search({ query: "x" }, unwanted.signal)).rejects.toSatisfy(isAbort);
  expect(lost).toEqual([]);

  const slow = client.search({ query: "x" }).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(180_000);
  expect(await slow).toMatchObject({ code: "unreachable" });
  expect(connections.every((signal) => signal?.aborted)).toBe(true);
  expect(lost).toEqual(["unreachable"]);
});

test("a stream yields its events up to the last one, and closes the connection", async () => {
  const { client, sent } = connect(
    () => new Response(body([recorded, bytes({ type: "token", text: "late" })], "stay")),
  );
  const seen = await collect(client.ask({ question: "?" }, never()));
  expect(seen).toEqual(["started", "retrieved", ...Array<string>(12).fill("token"), "answered"]);
  expect(sent[0]?.init.signal?.aborted).toBe(true);
});

test("a failed event is an event", async () => {
  const error = { code: "model_missing", message: "No.", hint: "", retryable: false };
  const { client } = connect(() => new Response(body([bytes({ type: "failed", error })], "end")));
  expect(await collect(client.ask({ question: "?" }, never()))).toEqual(["failed"]);
});

test("an event of a newer sidecar is left out", async () => {
  const lines = bytes({ type: "dreamt" }, { type: "token", text: "a" }, { type: "cancelled" });
  const { client } = connect(() => new Response(body([lines], "end")));
  expect(await collect(client.ask({ question: "?" }, never()))).toEqual(["token", "cancelled"]);
});

test.each([
  ["ends without its last event", () => new Response(body([recorded.slice(0, 200)], "end")), "interrupted"],
  ["ends after a whole line", () => new Response(body([bytes({ type: "token", text: "a" })], "end")), "interrupted"],
  ["breaks", () => new Response(body([bytes({ type: "token", text: "a" })], "break")), "interrupted"],
  ["has no body", () => new Response(null), "interrupted"],
  ["is no JSON", () => new Response("<html>\n</html>\n"), "bad_reply"],
  ["has an event of the wrong shape", () => new Response(body([bytes({ type: "token" })], "end")), "bad_reply"],
])("a stream that %s", async (_, answer, code) => {
  const { client, lost, sent } = connect(answer);
  const failure = await collect(client.ask({ question: "?" }, never())).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: "SidecarFailure", code });
  expect((failure as SidecarFailure).hint).not.toBe("");
  expect(lost).toEqual(code === "interrupted" ? ["interrupted"] : []);
  expect(sent[0]?.init.signal?.aborted).toBe(true);
});

describe("an abort ends a stream with an AbortError and closes the connection", () => {
  function open(chunks: Uint8Array[]) {
    const wish = new AbortController();
    const { client, sent, lost } = connect(({ init }) => new Response(body(chunks, "stay", init.signal)));
    return { wish, stream: client.ask({ question: "?" }, wish.signal), sent, lost };
  }

  test("before it began", async () => {
    const { wish, stream, sent } = open([]);
    wish.abort();
    await expect(collect(stream)).rejects.toSatisfy(isAbort);
    expect(sent).toEqual([]);
  });

  test("while the sidecar has not answered yet", async () => {
    const wish = new AbortController();
    const { client, lost } = connect(
      ({ init }) =>
        new Promise((_, reject) => {
          init.signal?.addEventListener("abort", () => reject(new DOMException("Aborted.", "AbortError")));
        }),
    );
    const reading = collect(client.ask({ question: "?" }, wish.signal));
    wish.abort();
    await expect(reading).rejects.toSatisfy(isAbort);
    expect(lost).toEqual([]);
  });

  test("while the next line is waited for", async () => {
    const { wish, stream, sent, lost } = open([bytes({ type: "token", text: "a" })]);
    await stream.next();
    const next = stream.next();
    wish.abort();
    await expect(next).rejects.toSatisfy(isAbort);
    expect(sent[0]?.init.signal?.aborted).toBe(true);
    expect(lost).toEqual([]);
  });

  test("also where fetch has forgotten its signal", async () => {
    let cancelled = false;
    const deaf = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytes({ type: "token", text: "a" })),
      cancel: () => void (cancelled = true),
    });
    const wish = new AbortController();
    const { client, lost } = connect(() => new Response(deaf));
    const stream = client.ask({ question: "?" }, wish.signal);
    await stream.next();
    const next = stream.next();
    wish.abort();
    await expect(next).rejects.toSatisfy(isAbort);
    expect([cancelled, lost]).toEqual([true, []]);
  });

  test("with lines that have come already", async () => {
    const { wish, stream } = open([bytes({ type: "token", text: "a" }, { type: "token", text: "b" })]);
    await stream.next();
    wish.abort();
    await expect(stream.next()).rejects.toSatisfy(isAbort);
    await expect(stream.next()).resolves.toMatchObject({ done: true });
  });

  test("and so does leaving the loop", async () => {
    const { wish, stream, sent } = open([bytes({ type: "token", text: "a" })]);
    for await (const event of stream) {
      expect(event.type).toBe("token");
      break;
    }
    expect(sent[0]?.init.signal?.aborted).toBe(true);
    wish.abort();
  });
});
