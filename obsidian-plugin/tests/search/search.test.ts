import { App, type App as ObsidianApp } from "obsidian";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Hit, SearchResponse } from "../../../shared-schemas/zibaldone";
import { SearchModal } from "../../src/search/modal";
import { SidecarFailure } from "../../src/sidecar/failure";
import { example } from "../support/examples";
import { fakeClient } from "../support/fakes";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const app = (App as unknown as { createConfigured__(): ObsidianApp }).createConfigured__();
const found = example<SearchResponse>("SearchResponse.hit");

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
  const [hit] = found.hits;
  if (hit) open(async () => found).renderSuggestion({ ...hit, text: "<img src=x>" }, el);
  expect(el.find(".suggestion-title").textContent).toBe("KestrelProjects › Budget");
  expect(el.find(".zibaldone-snippet").textContent).toBe("<img src=x>");
});

test("what is too long is told and not asked", async () => {
  const search = vi.fn(async () => found);
  const modal = open(search);
  expect(await ask(modal, "x".repeat(4_010))).toEqual([[]]);
  expect(modal.emptyStateText).toBe("10 characters too long: search for fewer words");
  expect(search).not.toHaveBeenCalled();
});
