import { expect, test } from "vitest";
import type { Status } from "../../../shared-schemas/zibaldone";
import { StatePanel } from "../../src/chat/panel";
import { example } from "../support/examples";
import { ready } from "../support/fakes";

const typical = example<Status>("Status.typical");
const missing = (role: string, model: string) =>
  ({ role, model, state: "missing", hint: `zib models pull ${model}` }) as const;

function show(status: Status | null): HTMLElement {
  const parent = createDiv();
  new StatePanel(parent, { restart: () => undefined, openSettings: () => undefined }).update(ready(), status);
  return parent.find(".zibaldone-state");
}

test("models that are not installed: what works meanwhile, and one command for all", () => {
  const models = { chat: missing("chat", "qwen"), embed: missing("embed", "e5") };
  const el = show({ ...typical, models });
  expect(el.isShown() || el.style.display !== "none").toBe(true);
  expect(el.find(".zibaldone-state-heading").textContent).toBe("The models are not installed");
  expect(el.textContent).toContain("quoted from your notes");
  expect(el.textContent).toContain("by their words");
  expect(el.findAll("code").map((code) => code.textContent)).toEqual(["zib models pull qwen e5"]);
});

test("one model is named; with all of them nothing is said", () => {
  const { models } = typical;
  const one = show({ ...typical, models: { ...models, embed: missing("embed", "e5") } });
  expect(one.find(".zibaldone-state-heading").textContent).toBe("The model e5 is not installed");
  expect(one.textContent).not.toContain("quoted from your notes");
  const all = show({ ...typical, models: { chat: { ...missing("chat", "qwen"), state: "idle", hint: null } } });
  expect(all.style.display).toBe("none");
  expect(show(null).style.display).toBe("none");
});
