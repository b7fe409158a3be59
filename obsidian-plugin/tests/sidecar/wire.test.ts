import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkEvent, isHandshake, isRunFile, readError } from "../../src/sidecar/wire";

const folder = "../shared-schemas/examples";
const read = (name: string) => readFileSync(`${folder}/${name}`, "utf8");
const examples = readdirSync(folder);

test.each(examples.filter((name) => /^(Ask|Sync|Build)EventLine\./.test(name)))("%s is an event", (name) => {
  const terminal = /\.(abstained|answered|synced|built|failed|cancelled)\./.test(name);
  expect(checkEvent(JSON.parse(read(name)))).toBe(terminal ? "last event" : "event");
});

test("the other golden examples are what they are", () => {
  expect(isRunFile(JSON.parse(read("RunFile.typical.json")))).toBe(true);
  expect(isHandshake(JSON.parse(read("Handshake.typical.json")))).toBe(true);
  expect(readError(read("ErrorResponse.typical.json"))?.code).toBe("model_missing");
});

test.each([
  [{ type: "dreamt", of: 1 }, "unknown"],
  [{ type: "toString" }, "unknown"],
  [{ type: "token" }, "invalid"],
  [{ type: "token", text: 7 }, "invalid"],
  [{ type: "answered", answer: null }, "invalid"],
  [{ type: "answered", answer: { answer: "", citations: {} } }, "invalid"],
  [{ type: "failed", error: "no" }, "invalid"],
  [{ text: "a" }, "invalid"],
  [[], "invalid"],
  [null, "invalid"],
  ["token", "invalid"],
])("%j is %s", (value, expected) => {
  expect(checkEvent(value)).toBe(expected);
});

test.each(["http://127.0.0.1:1", "http://[::1]:65535"])("%s is sent the token", (url) => {
  expect(isRunFile({ ...(JSON.parse(read("RunFile.typical.json")) as object), url })).toBe(true);
});

test.each([
  "https://127.0.0.1:1",
  "http://127.0.0.1",
  "http://127.0.0.1:1/x",
  "http://127.0.0.1:1\n",
  "http://127.0.0.1:1@example.org",
  "http://localhost:1",
  "http://127.0.0.2.example.org:1",
  "http://example.org:80",
  "file:///etc/passwd",
  7,
])("%s is not", (url) => {
  expect(isRunFile({ ...(JSON.parse(read("RunFile.typical.json")) as object), url })).toBe(false);
});

test("no error", () => {
  for (const text of ["", "{", "[]", "null", '{"error": {}}', '{"error": {"code": 1}}']) {
    expect(readError(text)).toBeNull();
  }
});
