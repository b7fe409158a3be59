import { App, Component, MarkdownRenderer, Modal, type App as ObsidianApp } from "obsidian";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Answer, AskEventLine } from "../../../shared-schemas/zibaldone";
import { Message } from "../../src/chat/message";
import { advance, beginTurn, failTurn, stopTurn, type Turn } from "../../src/chat/turn";
import { SidecarFailure } from "../../src/sidecar/failure";
import { example } from "../support/examples";
import { say } from "../../src/words";
import { fakeClient, settle } from "../support/fakes";

const app = (App as unknown as { createConfigured__(): ObsidianApp }).createConfigured__();
const renders: { markdown: string; component: Component }[] = [];
const actions = { retry: vi.fn(), askAll: vi.fn(), takeBack: vi.fn(), stop: vi.fn(), settle: vi.fn(), again: vi.fn() };
const finished = vi.fn();
const announce = vi.fn();
const touched = vi.fn();
const accepted = vi.fn();
const client = fakeClient();

beforeEach(() => {
  renders.length = 0;
  vi.spyOn(performance, "now").mockReturnValue(0); // one frame has room for all
  vi.spyOn(MarkdownRenderer, "render").mockImplementation(async (_app, markdown, el, _path, component) => {
    renders.push({ markdown, component });
    // Entities are decoded, and the whole is a paragraph: enough of a renderer here.
    el.createEl("p", { text: markdown.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))) });
  });
});
afterEach(() => void vi.restoreAllMocks());

function show(turn: Turn): { message: Message; parent: HTMLElement; text: () => string } {
  const parent = createDiv();
  const told = { announce, finished, touched, accepted };
  const parts = { app, hoverParent: { hoverPopover: null }, connect: async () => client, actions, ...told };
  const message = new Message(parent, parts, turn);
  message.load();
  message.update(turn);
  return { message, parent, text: () => parent.textContent ?? "" };
}

const event = (name: string): AskEventLine => example<AskEventLine>(`AskEventLine.${name}`);
const token = (text: string): AskEventLine => ({ type: "token", text });
const turn = beginTurn(1, "How much money does Kestrel have?");

function answered(over: Partial<Answer>): Turn {
  const { answer } = event("answered") as { answer: Answer };
  return advance(turn, { type: "answered", answer: { ...answer, ...over } });
}

test("a streamed block is rendered once, the open one is text", async () => {
  const { message, parent } = show(turn);
  let now = turn;
  for (const piece of ["One ", "two.\n", "\nThree", " four"]) message.update((now = advance(now, token(piece))));
  await settle();
  expect(renders.map((render) => render.markdown)).toEqual(["One two."]);
  expect(parent.find(".zibaldone-open-block").textContent).toBe("Three four");
});

test("the checked answer takes the place of what was streamed; the same block stays as it is", async () => {
  const { message, parent } = show(turn);
  const streamed = advance(turn, token("Same.\n\nOther.\n\nRest"));
  message.update(streamed);
  await settle();
  const [same, other] = parent.findAll(".zibaldone-block");
  const unload = vi.spyOn(renders[1]?.component as Component, "unload");
  message.update(
    advance(streamed, { type: "answered", answer: { ...answered({}).answer, answer: "Same.\n\nNew [1]." } as Answer }),
  );
  await settle();
  const now = parent.findAll(".zibaldone-block");
  expect(now).toHaveLength(2);
  expect(now[0]).toBe(same);
  expect(now[1]).not.toBe(other);
  expect(unload).toHaveBeenCalled();
  expect(parent.find(".zibaldone-open-block").textContent).toBe("");
});

test("markers become chips, and sources stand below", async () => {
  const { parent, text } = show(answered({}));
  await settle();
  expect(parent.findAll("a.zibaldone-chip")).toHaveLength(1);
  expect(parent.find(".zibaldone-text").textContent).toBe(
    "Kestrel has 42,000 EUR, approved on 2 March1Source 1: Projects/Kestrel.md, line 12.",
  );
  expect(parent.find(".zibaldone-source .zibaldone-place-link").textContent).toBe("Kestrel");
  expect(parent.find(".zibaldone-trail").textContent).toBe("Projects › Budget");
  expect(parent.find(".zibaldone-quote").textContent).toContain("The board approved 42,000 EUR");
  expect(text()).toContain("Recorded in Zibaldone/log/2026-03-04");
  expect(finished).toHaveBeenCalled();
});

test("to go to what a citation, a source or a result shows counts as the use of its passage", async () => {
  touched.mockClear();
  const { parent } = show(answered({}));
  await settle();
  const [passage] = answered({}).answer?.hits ?? [];
  for (const at of ["a.zibaldone-chip", ".zibaldone-sources .zibaldone-place-link"]) parent.find(at).click();
  expect(touched.mock.calls).toEqual([[passage?.chunk_id], [passage?.chunk_id]]);
});

test("an answer that becomes a note is accepted, with the passages that it cites", async () => {
  accepted.mockClear();
  const { parent } = show(answered({}));
  await settle();
  vi.spyOn(Modal.prototype, "open").mockImplementation(function (this: Modal) {
    void this.onOpen();
    activeDocument.body.append(this.contentEl);
  });
  parent.find(`[aria-label="${say("use.newNote")}"]`).click();
  activeDocument.body.find("button.mod-cta").click();
  await settle();
  expect(accepted.mock.calls).toEqual([[[answered({}).answer?.hits[0]?.chunk_id]]]);
  activeDocument.body.empty();
});

test("quotes, headings and paths are text, never markup", async () => {
  const { answer } = answered({});
  const citation = answer?.citations[0];
  const nasty = "<img src=x onerror=alert(1)> ![[x]] `= 1`";
  const { parent } = show(
    answered({ citations: citation ? [{ ...citation, path: `${nasty}.md`, quote: nasty, heading: [nasty] }] : [] }),
  );
  await settle();
  expect(parent.findAll("img, code")).toHaveLength(0);
  expect(parent.find(".zibaldone-quote").textContent).toBe(nasty);
  expect(renders.every((render) => !render.markdown.includes("onerror"))).toBe(true);
});

test("code comes back as text after the renderer", async () => {
  const { parent } = show(answered({ answer: "Run `zib sync` [1]\n\n```dataviewjs\ndv.pages()\n```", citations: [] }));
  await settle();
  expect(renders.some((render) => render.markdown.includes("dataviewjs") || render.markdown.includes("`"))).toBe(false);
  expect(parent.findAll("code").map((code) => code.textContent)).toEqual(["zib sync", "dv.pages()"]);
  expect(parent.findAll("pre > code")).toHaveLength(1);
});

test("an abstention says why and lists the closest passages", async () => {
  const { parent, text } = show(advance(turn, event("abstained")));
  await settle();
  expect(parent.find(".zibaldone-abstention").textContent).toContain("Nothing in your notes was close enough");
  expect(parent.findAll(".zibaldone-closest .zibaldone-place-link").map((link) => link.textContent)).toEqual(["Brot"]);
  expect(text()).not.toContain("Sources");
});

test("what is not sure is said quietly", async () => {
  const { answer } = answered({});
  const citations = (answer?.citations ?? []).map((citation) => ({ ...citation, supported: false }));
  const { parent, text } = show(
    answered({
      citations,
      not_covered: "who approved it",
      unsupported_claims: ["It is a lot."],
      truncated: ["Not shown: A.md."],
      notes: ["No embedding model is installed."],
    }),
  );
  await settle();
  expect(parent.find(".zibaldone-chip").hasClass("is-unsupported")).toBe(true);
  for (const words of [
    "do not clearly say this",
    "who approved it",
    "It is a lot.",
    "Not shown: A.md.",
    "No embedding",
  ]) {
    expect(text()).toContain(words);
  }
});

test("a stopped answer keeps its text and can be asked again", async () => {
  const { parent, text } = show(stopTurn(advance(turn, token("Half"))));
  await settle();
  expect(text()).toContain("Half");
  expect(text()).toContain("Stopped");
  parent.find(".zibaldone-action").click();
  expect(actions.retry).toHaveBeenCalled();
});

test("a failure says what to do, with the command as code", async () => {
  const { parent } = show(advance(turn, event("failed")));
  await settle();
  expect(parent.find(".zibaldone-failure-message").textContent).toBe("No chat model is installed.");
  expect(parent.find(".zibaldone-command code").textContent).toBe("zib models pull qwen2.5-coder-1.5b");
  expect(parent.findAll(".zibaldone-action")).toHaveLength(0);
});

test("what to do about a sidecar that cannot run stands in the panel, once", async () => {
  const { parent, text } = show(failTurn(turn, new SidecarFailure("gave_up", "Too often.", "See `zib doctor`.")));
  await settle();
  expect(text()).toContain("Too often.");
  expect(text()).not.toContain("zib doctor");
  expect(parent.findAll(".zibaldone-action")).toHaveLength(1);
});

test("a question that waits can be taken back", () => {
  const { parent } = show(beginTurn(2, "Next", [], "queued"));
  parent.find(".zibaldone-take-back").click();
  expect(actions.takeBack).toHaveBeenCalledOnce();
});

test("unloading removes it from the page", async () => {
  const { message, parent } = show(answered({}));
  await settle();
  message.unload();
  expect(parent.childElementCount).toBe(0);
});

test("why no model wrote it stands above the passages, with the command as code, and once", async () => {
  const why =
    "No model wrote this answer: The model qwen2.5-coder-1.5b (chat) is not there. zib models pull qwen2.5-coder-1.5b";
  const { parent, text } = show(answered({ model: "none", notes: [why, "Something else."] }));
  await settle();
  const [reason, passages] = [parent.find(".zibaldone-reason"), parent.find(".zibaldone-text")];
  expect(reason.compareDocumentPosition(passages)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(reason.find("code").textContent).toBe("zib models pull qwen2.5-coder-1.5b");
  expect(text().split("No model wrote").length).toBe(2);
  expect(text()).toContain("Something else.");
});

test("an answer that could not be recorded says so", async () => {
  const failure = { code: "git_unavailable", message: "git refused.", hint: "Type `zib doctor`.", retryable: false };
  const { parent } = show(answered({ writeback: null, writeback_error: failure }));
  await settle();
  const remarks = parent.findAll(".zibaldone-ending > .zibaldone-remark").map((remark) => remark.textContent);
  expect(remarks).toContain("git refused. Type zib doctor.");
});

test("a note that is not read offers to ask all notes", async () => {
  const limited = beginTurn(3, "How much?", [{ kind: "note", name: "Old/Kestrel.md" }]);
  const missing = new SidecarFailure("not_found", "There is no note Old/Kestrel.md.", "Ask about all notes.");
  const { parent, text } = show(failTurn(limited, missing));
  await settle();
  expect(text()).toContain("There is no note Old/Kestrel.md.");
  parent.find(".zibaldone-action").click();
  expect(actions.askAll).toHaveBeenCalledOnce();
});

test("while it writes it says so; a sidecar that hangs is told, with a button that stops", () => {
  const writing = advance(turn, token("Half"));
  const { message, parent } = show(writing);
  expect(parent.find(".zibaldone-busy").textContent).toBe("Still writing…");
  message.update({ ...writing, silent: true });
  expect(parent.find(".zibaldone-progress").textContent).toContain("The sidecar does not answer.");
  parent.find(".zibaldone-action").click();
  expect(actions.stop).toHaveBeenCalledOnce();
});

test("what a message put into the memory is shown once, and an answer that only repeats it is not", async () => {
  const heard = advance(turn, event("remembered"));
  const { message, parent, text } = show(turn);
  message.update(heard);
  expect(text()).toContain("Remembered: Leo is eight (instead of: Leo is seven)");
  expect(announce).toHaveBeenCalledWith("Remembered: Leo is eight (instead of: Leo is seven)");
  const { answer } = answered({ route: "chat", answer: "Remembered: “Leo is eight” (instead of “Leo is seven”)." });
  if (answer) message.update(advance(heard, { type: "answered", answer }));
  await settle();
  expect(parent.find(".zibaldone-text").textContent).toBe("");
  expect(text().split("Leo is eight")).toHaveLength(2);
  expect(text()).not.toContain("Written by");
});

test("what becomes of it afterwards does not end the answer a second time", async () => {
  finished.mockClear();
  const over = advance(advance(turn, event("remembered")), event("answered"));
  const { message, text } = show(over);
  await settle();
  message.update({ ...over, noted: over.noted.map((noted) => ({ ...noted, undone: true })) });
  await settle();
  expect(text()).toContain("Taken back: Leo is eight (again: Leo is seven)");
  expect(finished).toHaveBeenCalledTimes(1);
});

test("what the person said in a conversation is called that, and shown in a dialog", async () => {
  const { answer } = event("answered") as { answer: Answer };
  const said = { path: "//chat:c1/12", source_uri: "chat:c1#12", heading: [], locator: "L1", commit: null };
  const citations = answer.citations.map((citation) => ({ ...citation, ...said, quote: "I sold the boat in May." }));
  const opened = vi.spyOn(Modal.prototype, "open").mockImplementation(function (this: Modal) {
    void this.onOpen();
    activeDocument.body.append(this.contentEl);
  });
  const { parent } = show(answered({ citations, hits: [] }));
  await settle();
  const link = parent.find(".zibaldone-sources .zibaldone-place-link");
  expect(link.textContent).toBe("What you said in a conversation");
  expect(parent.textContent).not.toContain("//chat");
  link.click();
  expect(opened).toHaveBeenCalledOnce();
  expect(activeDocument.body.find(".zibaldone-dialog .zibaldone-quote").textContent).toBe("I sold the boat in May.");
  activeDocument.body.empty();
});
