import { App, Component, type App as ObsidianApp } from "obsidian";
import { expect, test, vi } from "vitest";
import type { Concepts, MemoryStats, Recall } from "../../../shared-schemas/zibaldone";
import { STEP } from "../../src/steps";
import { Head } from "../../src/vault-memory/head";
import { showConcepts } from "../../src/vault-memory/lists";
import type { NodeContext } from "../../src/vault-memory/node";
import { RecallPane } from "../../src/vault-memory/recall";
import type { SidecarClient } from "../../src/sidecar/client";
import { SidecarFailure } from "../../src/sidecar/failure";
import { example } from "../support/examples";
import { settle } from "../support/fakes";

const app = (App as unknown as { createConfigured__(): ObsidianApp }).createConfigured__();
const recall = example<Recall>("Recall.one");
const [concept] = example<Concepts>("Concepts.one").concepts as [Concepts["concepts"][number]];
const stats = example<MemoryStats>("MemoryStats.typical");

function context(owner = new Component(), noteOf: NodeContext["noteOf"] = () => undefined): NodeContext {
  owner.load();
  return { app, owner, hoverParent: { hoverPopover: null }, opened: new Set(), noteOf, touched: vi.fn() };
}

function cards(methods: Partial<SidecarClient>, node: string | null = null) {
  const el = document.body.createDiv();
  const showAll = vi.fn();
  const connect = async () => methods as SidecarClient;
  const pane = new RecallPane(el, node, context(), { connect, showAll });
  pane.load();
  return { el, pane, showAll, text: () => el.textContent ?? "" };
}

const button = (el: HTMLElement, text: string): HTMLElement => {
  const found = el.findAll("button").find((one) => one.textContent?.includes(text));
  if (!found) throw new Error(`There is no button ${text}.`);
  return found;
};

test("the answer is shown when it is asked for, and a key grades it", async () => {
  const gradeCard = vi.fn(async () => ({ card: "00112233445566aa", due: "2026-03-08T00:00:00+00:00" }));
  const { el, text } = cards({ recall: async () => recall, gradeCard });
  await settle();
  expect(text()).toContain("When is the budget of Kestrel due?");
  expect(text()).not.toContain("Decided to move");
  const press = (key: string) => el.find("div").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  press("3");
  expect(gradeCard).not.toHaveBeenCalled();
  button(el, "Show answer").click();
  expect(el.find(".zibaldone-card-answer").textContent).toBe("Decided to move the budget to April.");
  expect(el.findAll(".zibaldone-evidence .zibaldone-place-link")).toHaveLength(2);
  press("3");
  await settle();
  expect(gradeCard).toHaveBeenCalledWith("00112233445566aa", "good", expect.anything());
  expect(text()).toContain("That card comes again on Mar 8, 2026.");
  expect(text()).toContain("Done: 1 card.");
});

test("a grade that fails says why", async () => {
  const gradeCard = async () => Promise.reject(new SidecarFailure("not_found", "There is no recall card.", "Look."));
  const { el } = cards({ recall: async () => recall, gradeCard });
  await settle();
  button(el, "Show answer").click();
  button(el, "Easily").click();
  await settle();
  expect(el.find("[role=alert]").textContent).toBe("There is no recall card.Look.");
});

test("one node's card is asked for alone, and leads on to the others", async () => {
  const ask = vi.fn(async () => ({ ...recall, recall: [] }));
  const { el, showAll } = cards({ recall: ask }, concept.node_id);
  await settle();
  expect(ask).toHaveBeenCalledWith({ node: concept.node_id, all: true, top: 1 }, expect.anything());
  button(el, "More cards").click();
  expect(showAll).toHaveBeenCalled();
});

test("a long list comes in steps", () => {
  const el = createDiv();
  const many = Array.from({ length: STEP + 3 }, (_, at) => ({ ...concept, node_id: String(at) }));
  showConcepts(el, many, context());
  expect(el.findAll(".zibaldone-node")).toHaveLength(STEP);
  button(el, "Show 3 more").click();
  expect(el.findAll(".zibaldone-node")).toHaveLength(STEP + 3);
  expect(el.find(".zibaldone-more").isShown()).toBe(false);
});

test("what stood open is open again, with its note and its words", () => {
  const el = createDiv();
  const given = context(new Component(), (node) => (node === concept.node_id ? "Z/concepts/Kestrel.md" : undefined));
  given.opened.add(concept.node_id);
  showConcepts(el, [concept], given);
  expect(el.find("details").textContent).toContain("Open its note");
  expect(el.findAll("blockquote").map(({ textContent }) => textContent)).toEqual(
    concept.evidence.map(({ quote }) => quote),
  );
});

test("the head builds, tells what failed, and holds or goes on", async () => {
  const el = createDiv();
  const pauseBuilding = vi.fn(async () => stats);
  const error = { code: "internal", message: "The disk is full.", hint: "", retryable: false };
  const client = {
    pauseBuilding,
    async *buildMemory() {
      yield { type: "failed", error } as const;
    },
  };
  const changed = vi.fn();
  const head = new Head(el, { connect: async () => client as unknown as SidecarClient, changed });
  head.load();
  head.show({ ...stats, state: "paused", failed: [{ path: "Odd.md", reason: "no text" }] }, null);
  expect(el.textContent).toContain("1 source could not be read");
  expect(el.textContent).toContain("Odd.md: no text");
  button(el, "Go on").click();
  await settle();
  expect(pauseBuilding).toHaveBeenCalledWith(false);
  button(el, "Build now").click();
  await settle();
  expect(el.find("[role=alert]").textContent).toBe("The disk is full.");
  expect(changed).toHaveBeenCalledTimes(3);
});
