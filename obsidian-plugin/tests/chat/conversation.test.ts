import { expect, test } from "vitest";
import { Conversation } from "../../src/chat/conversation";
import { readScope } from "../../src/chat/scope";
import { SidecarFailure } from "../../src/sidecar/failure";
import { fakeClient, Script, settle } from "../support/fakes";

function begin(script = new Script()): { script: Script; conversation: Conversation; changes: () => number } {
  let changes = 0;
  const conversation = new Conversation(async () => fakeClient({ ask: script.ask }));
  conversation.subscribe(() => changes++);
  return { script, conversation, changes: () => changes };
}

const phases = (conversation: Conversation): string[] => conversation.turns.map((turn) => turn.phase);

test("asks, streams and ends", async () => {
  const { script, conversation, changes } = begin();
  expect(conversation.ask("  ")).toBe(false);
  expect(conversation.ask(" How much? ")).toBe(true);
  expect(conversation.running).toBe(true);
  script.give("started", "retrieved", "token", "answered");
  await settle();
  expect(phases(conversation)).toEqual(["answered"]);
  expect(conversation.running).toBe(false);
  expect(changes()).toBeGreaterThan(4);
  expect(script.requests[0]).toMatchObject({ question: "How much?", within: [] });
});

test("the sidecar names a conversation as its first turn starts; a new one begins without a name", async () => {
  const { script, conversation } = begin();
  conversation.ask("a");
  script.give("started");
  await settle();
  conversation.stop();
  await settle();
  conversation.ask("b");
  script.give("started", "answered");
  await settle();
  conversation.startNew();
  conversation.ask("c");
  await settle();
  expect(script.requests.map((request) => request.conversation_id)).toEqual([null, "conv-20260304-1", null]);
});

test("a conversation that was deleted meanwhile begins anew", async () => {
  const { script, conversation } = begin();
  conversation.ask("a");
  script.give("started", "answered");
  await settle();
  conversation.ask("b");
  script.push(new SidecarFailure("not_found", "No such conversation."));
  await settle();
  conversation.ask("c");
  await settle();
  expect(script.requests.at(-1)?.conversation_id).toBeNull();
});

test("one question waits, a second one does not", async () => {
  const { script, conversation } = begin();
  conversation.ask("first");
  expect(conversation.ask("second")).toBe(true);
  expect(conversation.full).toBe(true);
  expect(conversation.ask("third")).toBe(false);
  expect(phases(conversation)).toEqual(["connecting", "queued"]);
  script.give("answered", "answered");
  await settle();
  expect(phases(conversation)).toEqual(["answered", "answered"]);
  expect(script.requests.map((request) => request.question)).toEqual(["first", "second"]);
});

test("a question that waits can be taken back into an empty composer", async () => {
  const { script, conversation } = begin();
  conversation.ask("first");
  conversation.ask("second");
  conversation.takeBack();
  expect(conversation.draft).toBe("second");
  script.give("answered");
  await settle();
  expect(script.requests).toHaveLength(1);
});

test("stop closes the request and keeps what was written", async () => {
  const { script, conversation } = begin();
  conversation.ask("a");
  script.give("started", "token");
  await settle();
  conversation.stop();
  await settle();
  expect(script.aborted).toBe(true);
  expect(conversation.turns[0]).toMatchObject({ phase: "stopped", text: " 42,000 EUR" });
  expect(conversation.running).toBe(false);
});

test("a sidecar that goes away mid-answer leaves the partial answer, and the next question works", async () => {
  const { script, conversation } = begin();
  conversation.ask("a");
  script.give("started", "token");
  script.push(new SidecarFailure("interrupted", "It ended.", "Ask again.", true));
  await settle();
  expect(conversation.turns[0]).toMatchObject({ phase: "failed", text: " 42,000 EUR", failure: { retryable: true } });
  const [failed] = conversation.turns;
  if (failed) conversation.retry(failed);
  script.give("answered");
  await settle();
  expect(phases(conversation)).toEqual(["answered"]);
});

test("no sidecar is a failure of the turn; what is no SidecarFailure, too", async () => {
  const refused = new Conversation(() => Promise.reject(new SidecarFailure("zib_missing", "No zib.", "Install it.")));
  refused.ask("a");
  await settle();
  expect(refused.turns[0]).toMatchObject({ phase: "failed", failure: { code: "zib_missing" } });
  const broken = new Conversation(() => Promise.reject(new TypeError("x is not a function")));
  broken.ask("a");
  await settle();
  expect(broken.turns[0]?.failure?.message).toContain("x is not a function");
});

test("a new conversation stops the old one, and nothing of it shows", async () => {
  const { script, conversation } = begin();
  conversation.about = "A.md";
  conversation.ask("old");
  conversation.ask("waits");
  await settle();
  conversation.startNew();
  await settle();
  expect(script.aborted).toBe(true);
  expect(conversation.turns).toEqual([]);
  expect(conversation.about).toBeNull();
  expect(script.requests).toHaveLength(1);
});

test("the answer ends with the last pane", async () => {
  const script = new Script();
  const conversation = new Conversation(async () => fakeClient({ ask: script.ask }));
  const [first, second] = [conversation.subscribe(() => undefined), conversation.subscribe(() => undefined)];
  conversation.ask("a");
  await settle();
  first();
  expect(script.aborted).toBe(false);
  second();
  expect(script.aborted).toBe(true);
});

test("a question can be limited to a note", async () => {
  const { script, conversation } = begin();
  conversation.about = "Projects/Kestrel.md";
  conversation.ask("a");
  script.give("answered");
  await settle();
  expect(script.requests[0]?.within).toEqual(["Projects/Kestrel.md"]);
  expect(conversation.about).toBe("Projects/Kestrel.md");
});

test("a question that waits follows its note; one whose note is not read can be asked of all notes", async () => {
  const { script, conversation } = begin();
  conversation.ask("a", []);
  conversation.ask("b", ["A.md", "#bees"].map(readScope));
  conversation.noteRenamed("A.md", "B.md");
  script.give("started", "answered");
  await settle();
  expect(script.requests[1]?.within).toEqual(["B.md", "#bees"]);
  const id = script.requests[1]?.conversation_id;
  script.push(new SidecarFailure("not_found", "There is no note B.md.", ""));
  await settle();
  const failed = conversation.turns[1];
  if (failed) conversation.askAll(failed);
  await settle();
  // The conversation goes on: it was the note that was not found.
  expect(script.requests[2]).toMatchObject({ question: "b", within: [], conversation_id: id });
});

test("why the sidecar ended is asked for", async () => {
  const script = new Script();
  const killed = new SidecarFailure("crashed", "It was killed.", "", true);
  const conversation = new Conversation(
    async () => fakeClient({ ask: script.ask }),
    async () => killed,
  );
  conversation.ask("a");
  script.give("started");
  script.push(new SidecarFailure("interrupted", "It ended.", "", true));
  await settle();
  expect(conversation.turns[0]?.failure).toBe(killed);
});

test("what became of a memory stays with its turn, also while the answer is being written", async () => {
  const { script, conversation } = begin();
  conversation.ask("! Leo is eight");
  script.give("started", "remembered");
  await settle();
  const [turn] = conversation.turns;
  const [noted] = turn?.noted ?? [];
  if (turn && noted) conversation.settle(turn, 0, { ...noted, undone: true });
  script.give("token", "answered");
  await settle();
  expect(conversation.turns[0]?.phase).toBe("answered");
  expect(conversation.turns[0]?.noted).toMatchObject([{ undone: true }]);
});
