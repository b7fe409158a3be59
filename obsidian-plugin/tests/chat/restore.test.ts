import { expect, test } from "vitest";
import type { Conversation as Saved, Message } from "../../../shared-schemas/zibaldone";
import { Conversation } from "../../src/chat/conversation";
import { restoreTurns } from "../../src/chat/restore";
import { readScope, sayScope, writeScope } from "../../src/chat/scope";
import { commitOf, sayWhere } from "../../src/chat/source/kind";
import { placeOf } from "../../src/place";
import { example } from "../support/examples";
import { fakeClient, Script, settle } from "../support/fakes";

const saved = example<Saved>("Conversation.one");
const at = { at: "", citations: [], answer: null };

test("a saved conversation comes back with its answers; what was cut short is marked", () => {
  const messages: Message[] = [
    ...saved.messages,
    { ...at, role: "user", text: "b", state: "complete" },
    { ...at, role: "assistant", text: "Half", state: "partial" },
    { ...at, role: "user", text: "c", state: "complete" },
    { ...at, role: "assistant", text: "", state: "failed" },
    { ...at, role: "user", text: "d", state: "complete" },
  ];
  let next = 7;
  const turns = restoreTurns(messages, () => next++);
  expect(turns.map(({ id, phase, text, kept }) => [id, phase, text, kept])).toEqual([
    [7, "answered", saved.messages[1]?.text, true],
    [8, "stopped", "Half", true],
    [9, "failed", "", true],
    [10, "stopped", "", true],
  ]);
  expect(turns[0]?.answer?.writeback?.change).toBe(12);
});

test("an opened conversation goes on; a question asked anew tells how many turns stand before it", async () => {
  const script = new Script();
  const conversation = new Conversation(async () =>
    Object.assign(fakeClient({ ask: script.ask }), { conversation: async () => saved }),
  );
  await conversation.open(saved.id, new AbortController().signal);
  expect(conversation.turns).toHaveLength(1);
  conversation.ask("next");
  script.give("started", "answered");
  await settle();
  const [first, second] = conversation.turns;
  if (second) expect(conversation.again(second, "otherwise")).toBe(true);
  script.give("started", "answered");
  await settle();
  if (first) conversation.again(first, "from the beginning");
  script.give("started", "answered");
  await settle();
  expect(script.requests.map((request) => [request.question, request.conversation_id, request.after_turns])).toEqual([
    ["next", saved.id, null],
    ["otherwise", saved.id, 1],
    ["from the beginning", saved.id, 0],
  ]);
  expect(conversation.turns.map(({ question }) => question)).toEqual(["from the beginning"]);
});

test("what a question is limited to is the same on the wire and back", () => {
  for (const entry of ["a/b.md", "a/b.md:3-7", "Areas/", "#bees/queens"])
    expect(writeScope(readScope(entry))).toBe(entry);
  expect(["a/b.md", "a/b.md:3-7", "a/b.md:3-3", "Areas/", "#bees"].map((one) => sayScope(readScope(one)))).toEqual([
    "b",
    "b, lines 3–7",
    "b, line 3",
    "Areas/",
    "#bees",
  ]);
});

test("each kind of source says where, and leads there", () => {
  const source = {
    path: "a.md",
    source_uri: "note:a",
    heading: [],
    locator: "L3",
    line_start: 3,
    page: null,
    commit: null,
  };
  expect(sayWhere({ ...source, modality: "text" })).toBe("line 3");
  expect(sayWhere({ ...source, modality: "pdf", page: 4 })).toBe("page 4");
  expect(sayWhere({ ...source, modality: "canvas" })).toBe("card");
  expect(sayWhere({ ...source, modality: "image" })).toBe("image");
  const uri = "git:repo@abcdef0123";
  expect(sayWhere({ ...source, modality: "code", source_uri: uri })).toBe("repo@abcdef0");
  expect(commitOf({ source_uri: "note:a", commit: "0123456789" })).toEqual({ repository: "", id: "0123456789" });
  expect(commitOf(source)).toBeNull();
  expect(placeOf({ ...source, locator: "node=ab12" })).toEqual({ path: "a.md", line: 3, page: null, node: "ab12" });
});
