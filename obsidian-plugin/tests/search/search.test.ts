import { App, type App as ObsidianApp } from "obsidian";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Explanation, Hit, SearchResponse } from "../../../shared-schemas/zibaldone";
import { SearchModal } from "../../src/search/modal";
import { sayExplanation, sayWhy } from "../../src/search/why";
import { SidecarFailure } from "../../src/sidecar/failure";
import { useLanguage } from "../../src/words";
import { example } from "../support/examples";
import { fakeClient } from "../support/fakes";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  useLanguage("en");
});

const app = (App as unknown as { createConfigured__(): ObsidianApp }).createConfigured__();
const found = example<SearchResponse>("SearchResponse.hit");
const hit = found.hits[0] as Hit;
const explanation = found.explanation as Explanation;
const remarks = (modal: SearchModal): (string | null)[] =>
  [...modal.modalEl.querySelectorAll(".zibaldone-search-remarks > div")].map((line) => line.textContent);

function open(search: (query: string) => Promise<SearchResponse>): SearchModal {
  return new SearchModal(app, async () => fakeClient({ search: ({ query }) => search(query) }));
}

async function ask(modal: SearchModal, ...queries: string[]): Promise<Hit[][]> {
  const answers = queries.map((query) => modal.getSuggestions(query));
  await vi.advanceTimersByTimeAsync(200);
  return Promise.all(answers);
}

test("typing asks once, for what was typed last, and every call gets that", async () => {
  const asked: string[] = [];
  const modal = open(async (query) => (asked.push(query), found));
  const answers = await ask(modal, "k", "ke", "kestrel");
  expect(asked).toEqual(["kestrel"]);
  for (const hits of answers) expect(hits).toEqual(found.hits);
});

test("no words, no hits and no sidecar are said", async () => {
  const nothing = example<SearchResponse>("SearchResponse.nothing");
  const modal = open(async () => nothing);
  expect(await ask(modal, " ")).toEqual([[]]);
  expect(modal.emptyStateText).toBe("Type what you are looking for");
  await ask(modal, "dentist");
  expect(modal.emptyStateText).toBe("Nothing found");
  const broken = open(() => Promise.reject(new SidecarFailure("x", "No sidecar.", "Type `zib doctor`.")));
  await ask(broken, "a");
  expect(broken.emptyStateText).toBe("No sidecar. Type zib doctor.");
});

test("a hit shows note, place and passage as text", () => {
  const el = createDiv();
  open(async () => found).renderSuggestion({ ...hit, text: "<img src=x>" }, el);
  expect(el.find(".suggestion-title").textContent).toBe("KestrelProjects › Budget");
  expect(el.find(".zibaldone-snippet").textContent).toBe("<img src=x>");
  expect(el.findAll(".suggestion-note")).toHaveLength(2);
});

test("a hit says where else it stands and, hidden until asked for, why it was found", () => {
  const el = createDiv();
  open(async () => found).renderSuggestion({ ...hit, also: ["Archive/Kestrel.md", "//old/K.md"] }, el);
  const lines = el.findAll(".suggestion-note").map((line) => line.textContent);
  expect(lines.slice(1)).toEqual(["also in Archive/Kestrel, //old/K", "words 70% · meaning 60% · recency 10%"]);
});

test("why: the better comparison of words, nothing below one per cent, the side of a comparison", () => {
  const components = { ...hit.components, lexical: 0.9, semantic: 0.004, recency: 0, title: 1, rerank: 0.5 };
  expect(sayWhy({ ...hit, components, subquery: "Kestrel" })).toBe(
    "words 90% · title 100% · ranking 50% · found for “Kestrel”",
  );
  useLanguage("de");
  expect(sayWhy(hit)).toBe("Wörter 70\u00a0% · Bedeutung 60\u00a0% · Aktualität 10\u00a0%");
});

test("an explanation tells what counts and what was left out", () => {
  expect(sayExplanation(explanation)).toBe("Meaning counts 48%, words 52%.");
  expect(sayExplanation({ ...explanation, words: {}, left_out: ["3 of 25 notes by the filters", "x"] })).toBe(
    "Left out: 3 of 25 notes by the filters; x.",
  );
  expect(sayExplanation({ ...explanation, words: {} })).toBe("");
});

test("what the search says of itself stands above the hits, until another finds or says something else", async () => {
  const search = vi.fn(async () => ({ ...found, notes: ["Wait for `zib sync`."] }));
  const modal = open(search);
  await ask(modal, "kestrel");
  expect(remarks(modal)).toEqual(["Wait for zib sync.", "Meaning counts 48%, words 52%."]);
  await ask(modal, "kestrel", "");
  expect(remarks(modal)).toEqual([]);
});

test("what is too long is told and not asked", async () => {
  const search = vi.fn(async () => found);
  const modal = open(search);
  expect(await ask(modal, "x".repeat(4_010))).toEqual([[]]);
  expect(modal.emptyStateText).toBe("10 characters too long: search for fewer words");
  expect(search).not.toHaveBeenCalled();
});
