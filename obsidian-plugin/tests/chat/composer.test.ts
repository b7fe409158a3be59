import { App, type App as ObsidianApp } from "obsidian";
import { expect, test, vi } from "vitest";
import { Composer } from "../../src/chat/composer";
import { Conversation } from "../../src/chat/conversation";
import { MOST_CHARACTERS } from "../../src/limit";
import askRequest from "../../../shared-schemas/AskRequest.schema.json";
import searchRequest from "../../../shared-schemas/SearchRequest.schema.json";
import { fakeClient, Script, settle } from "../support/fakes";

const app = (App as unknown as { createConfigured__(): ObsidianApp }).createConfigured__();
const run = vi.fn();

function open(): {
  conversation: Conversation;
  script: Script;
  input: HTMLTextAreaElement;
  button: HTMLButtonElement;
  parent: HTMLElement;
  asked: () => number;
  type: (text: string) => void;
} {
  const script = new Script();
  const conversation = new Conversation(async () => fakeClient({ ask: script.ask }));
  const parent = createDiv();
  const asked = vi.fn();
  const composer = new Composer(parent, app, conversation, { asked, run });
  composer.load();
  conversation.subscribe(() => composer.update());
  const input = parent.find("textarea") as HTMLTextAreaElement;
  const type = (text: string): void => {
    input.value = text;
    input.dispatchEvent(new Event("input"));
  };
  const button = parent.find(".zibaldone-send") as HTMLButtonElement;
  return { conversation, script, input, button, parent, asked: () => asked.mock.calls.length, type };
}

const enter = (init: KeyboardEventInit = {}): KeyboardEvent =>
  new KeyboardEvent("keydown", { key: "Enter", cancelable: true, ...init });

test("Enter asks and empties the field; an empty field asks nothing", async () => {
  const { script, input, asked, type } = open();
  input.dispatchEvent(enter());
  expect(asked()).toBe(0);
  type("How much?");
  const event = enter();
  input.dispatchEvent(event);
  await settle();
  expect(event.defaultPrevented).toBe(true);
  expect(script.requests[0]?.question).toBe("How much?");
  expect(input.value).toBe("");
});

test("Shift+Enter and an input method's Enter ask nothing", async () => {
  const { script, input, type } = open();
  type("日本");
  input.dispatchEvent(enter({ shiftKey: true }));
  input.dispatchEvent(enter({ isComposing: true }));
  input.dispatchEvent(Object.defineProperty(enter(), "keyCode", { value: 229 }));
  await settle();
  expect(script.requests).toEqual([]);
  expect(input.value).toBe("日本");
});

test("the button asks, stops, or lets a second question wait", async () => {
  const { script, conversation, button, parent, type } = open();
  const label = (): string | null => button.getAttribute("aria-label");
  expect(button.disabled).toBe(true);
  type("first");
  expect([label(), button.disabled]).toEqual(["Ask", false]);
  button.click();
  expect(label()).toBe("Stop");
  type("second");
  expect(label()).toBe("Ask next");
  button.click();
  expect(conversation.full).toBe(true);
  type("third");
  expect(label()).toBe("Stop");
  expect(parent.find(".zibaldone-composer-remark").textContent).toContain("waiting already");
  await settle();
  button.click();
  await settle();
  expect(script.aborted).toBe(true);
});

test("the draft outlives the pane", () => {
  const { conversation, type } = open();
  type("half a quest");
  const parent = createDiv();
  new Composer(parent, app, conversation, { asked: () => undefined, run }).load();
  expect((parent.find("textarea") as HTMLTextAreaElement).value).toBe("half a quest");
});

test("the note that it is limited to is a chip that can be removed", () => {
  const { conversation, parent } = open();
  conversation.about = "Projects/Kestrel.md";
  expect(parent.find(".zibaldone-about-name").textContent).toBe("About: Kestrel");
  parent.find(".zibaldone-about-remove").click();
  expect(conversation.about).toBeNull();
  expect(parent.findAll(".zibaldone-about")).toHaveLength(0);
});

test("a question that is too long is told, not sent, and stays", async () => {
  const { script, input, button, parent, type } = open();
  const remark = () => parent.find(".zibaldone-composer-remark").textContent;
  type("🐝".repeat(MOST_CHARACTERS));
  expect([remark(), button.disabled]).toEqual(["", false]);
  type("🐝".repeat(MOST_CHARACTERS + 1_200));
  expect(remark()).toContain("1,200 characters too long");
  expect(button.disabled).toBe(true);
  input.dispatchEvent(enter());
  await settle();
  expect(script.requests).toEqual([]);
  expect([...input.value]).toHaveLength(MOST_CHARACTERS + 1_200);
});

test("the limit is the sidecar's", () => {
  expect(askRequest.properties.question.maxLength).toBe(MOST_CHARACTERS);
  expect(searchRequest.properties.query.maxLength).toBe(MOST_CHARACTERS);
});

test("a paste of megabytes is not put in", () => {
  const { input, parent, type } = open();
  const paste = new InputEvent("beforeinput", { data: "x".repeat(3_000_000), cancelable: true });
  input.dispatchEvent(paste);
  expect(paste.defaultPrevented).toBe(true);
  expect(parent.find(".zibaldone-composer-remark").textContent).toContain("3,000,000 characters are too many");
  type("short");
  expect(parent.find(".zibaldone-composer-remark").textContent).toBe("");
});

test("the chip follows its note; without the note nothing is sent until all notes are asked", async () => {
  const { conversation, script, input, parent, type } = open();
  conversation.about = "Kestrel.md";
  conversation.noteRenamed("Kestrel.md", "Projects/Falcon.md");
  expect(parent.find(".zibaldone-about-name").textContent).toBe("About: Falcon");
  conversation.noteVanished("Other.md");
  expect(conversation.limits.broken).toBe(false);
  conversation.noteVanished("Projects/Falcon.md");
  expect(parent.find(".zibaldone-about").textContent).toBe("Not there any more: FalconAsk all notes");
  type("How much?");
  input.dispatchEvent(enter());
  await settle();
  expect(script.requests).toEqual([]);
  parent.find(".zibaldone-about-remove").click();
  input.dispatchEvent(enter());
  await settle();
  expect(script.requests).toMatchObject([{ question: "How much?", within: [] }]);
});
