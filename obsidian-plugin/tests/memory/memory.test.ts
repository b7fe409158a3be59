import { App, type App as ObsidianApp } from "obsidian";
import { afterEach, expect, test, vi } from "vitest";
import type {
  Agenda,
  ConfigReport,
  Forgotten,
  Memory,
  MemoryEntry,
  Remembered,
} from "../../../shared-schemas/zibaldone";
import { AgendaModal, sayItem } from "../../src/agenda/modal";
import { NotedList } from "../../src/chat/noted";
import type { Noted } from "../../src/chat/turn";
import { Used } from "../../src/chat/used";
import { entryPlace, holdsWords, sayMarks } from "../../src/memory/entries";
import { listSteps } from "../../src/memory/history";
import { MemoryList } from "../../src/memory/list";
import { EntryRow } from "../../src/memory/row";
import { SidecarFailure } from "../../src/sidecar/failure";
import { useLanguage } from "../../src/words";
import { example } from "../support/examples";
import { fakeClient, settle, type FakeClient } from "../support/fakes";

const app = (App as unknown as { createConfigured__(): ObsidianApp }).createConfigured__();
const memory = example<Memory>("Memory.typical");
const [leo, short, , move] = memory.entries as [MemoryEntry, MemoryEntry, MemoryEntry, MemoryEntry];
const [told, unsure] = [example<Remembered>("Remembered.new"), example<Remembered>("Remembered.unsure")];
const NOW = Date.parse("2026-03-04T09:00:00+01:00");

afterEach(() => useLanguage("en"));

function parts(methods: Partial<FakeClient> = {}) {
  const client = fakeClient({
    memory: async () => memory,
    config: async () => example<ConfigReport>("ConfigReport.typical"),
    ...methods,
  });
  return { app, hoverParent: { hoverPopover: null }, connect: async () => client };
}

const buttons = (el: HTMLElement): string[] => el.findAll("button").map((button) => button.textContent ?? "");

async function press(el: HTMLElement, text: string): Promise<void> {
  const button = el.findAll("button").find((one) => one.textContent === text);
  if (!button) throw new Error(`There is no button ${text}.`);
  button.click();
  await settle();
}

/** A list that shows what its buttons made of `noted`, and what it said aloud. */
function note(noted: Noted, methods: Partial<FakeClient> = {}) {
  const el = createDiv();
  const said: string[] = [];
  let now = noted;
  const list = new NotedList(el, {
    ...parts(methods),
    announce: (text) => said.push(text),
    settle: (_index, next) => list.update([(now = next)], true),
  });
  list.load();
  list.update([noted], true);
  return { el, said, now: () => now, text: () => el.textContent ?? "" };
}

const noted = (one: Remembered): Noted => ({
  told: one,
  changes: one.change_id === null ? [] : [one.change_id],
  undone: false,
  failure: null,
});

test("marks say who said it, how sure it is, and how long it stays", () => {
  expect(sayMarks(leo, NOW)).toBe("said by you");
  expect(sayMarks(short, NOW)).toBe("inferred, 90% sure · does not go together with another");
  expect(sayMarks(move, NOW)).toBe("said by you · fades in 11 days");
  expect(sayMarks({ ...move, pinned: true }, NOW)).toBe("said by you · pinned");
  expect(sayMarks(move, NOW + 20 * 86_400_000)).toBe("said by you · faded");
  expect(sayMarks({ ...leo, state: "retired" }, NOW)).toBe("said by you · no longer so");
  useLanguage("de");
  expect(sayMarks(move, NOW)).toBe("von dir gesagt · verblasst in 11 Tagen");
});

test("an entry stands on the page of its type, one that is over in the archive", () => {
  expect(entryPlace(leo, "Z/memory")).toMatchObject({ path: "Z/memory/user.md", mark: "%%id 3f9a1c20" });
  expect(entryPlace({ ...leo, state: "archived" }, "Z/memory").path).toBe("Z/memory/archive.md");
});

test("words are found in whatever case and with whatever accents", () => {
  expect(holdsWords("Kocht gern Rote Grütze", "grutze KOCHT")).toBe(true);
  expect(holdsWords("Kocht gern Rote Grütze", "kocht sago")).toBe(false);
  expect(holdsWords("Anything", " ")).toBe(true);
});

test("undo takes back that change, and says so", async () => {
  const undo = vi.fn(async () => example<never>("Undone.typical"));
  const { el, text, said } = note(noted(told), { undo });
  expect(buttons(el)).toEqual(["Undo"]);
  await press(el, "Undo");
  expect(undo).toHaveBeenCalledWith(12);
  expect(text()).toBe("Taken back: Leo is eight (again: Leo is seven)");
  expect(said.at(-1)).toBe(text());
  expect(buttons(el)).toEqual([]);
});

test("an undo that is refused says why, and can be tried again", async () => {
  const failure = new SidecarFailure("conflict", "The line was changed since.", "Edit it on its page.");
  const { el, text, said } = note(noted(told), { undo: async () => Promise.reject(failure) });
  await press(el, "Undo");
  expect(el.find("[role=alert]").textContent).toBe("The line was changed since.Edit it on its page.");
  expect(text()).toContain("Remembered: Leo is eight");
  expect(said).toHaveLength(1);
  expect(buttons(el)).toEqual(["Undo"]);
});

test("what it is, is asked where that is not sure; undo then takes back both changes, the last first", async () => {
  const edited = { ...unsure, entry: { ...unsure.entry, type: "user" as const }, path: "Zibaldone/memory/user.md" };
  const editMemory = vi.fn(async () => ({ ...edited, change_id: 14 }));
  const undo = vi.fn(async () => example<never>("Undone.typical"));
  const { el } = note(noted(unsure), { editMemory, undo });
  expect(buttons(el)).toEqual(["About me", "How you work", "What I’m at", "Undo"]);
  expect(el.find("[aria-pressed=true]").textContent).toBe("How you work");
  await press(el, "About me");
  expect(editMemory).toHaveBeenCalledWith("d1c2a3b4", { type: "user" });
  expect(buttons(el)).toEqual(["Undo"]);
  await press(el, "Undo");
  expect(undo.mock.calls).toEqual([[14], [13]]);
});

test("the type that was taken already needs no change", async () => {
  const editMemory = vi.fn();
  const { el, now } = note(noted(unsure), { editMemory });
  await press(el, "How you work");
  expect(editMemory).not.toHaveBeenCalled();
  expect(now().told.unsure).toBe(false);
});

test("a conflict names the other entry, both lead to their lines", () => {
  const { el, text } = note(noted(unsure));
  expect(text()).toContain("This does not go together with: Prefers short answers. Both stay.");
  expect(el.findAll("a").map((link) => link.textContent)).toEqual([
    "Wants every step explained",
    "Prefers short answers",
  ]);
});

test("what was known is told quietly, without an undo", () => {
  const { el, text } = note(noted(example<Remembered>("Remembered.known")));
  expect(text()).toMatch(/^Known already: /);
  expect(el.find(".zibaldone-noted").hasClass("is-quiet")).toBe(true);
  expect(buttons(el)).toEqual([]);
});

test("content is text, never markup", () => {
  const nasty = "<img src=x onerror=alert(1)> ![[x]]";
  const { el } = note(noted({ ...told, entry: { ...leo, content: nasty }, retired: [{ ...leo, content: nasty }] }));
  expect(el.findAll("img")).toHaveLength(0);
  expect(el.find("a").textContent).toBe(nasty);
});

test("a context is pinned and unpinned", async () => {
  const editMemory = vi.fn(async (_id: string, { pinned }: { pinned?: boolean | null }) => ({
    ...told,
    entry: { ...move, pinned: pinned ?? false },
  }));
  const list = createEl("ul");
  new EntryRow(list, move, "Z/memory", parts({ editMemory })).load();
  await press(list, "Pin");
  expect(list.textContent).toContain("said by you · pinned");
  await press(list, "Unpin");
  expect(editMemory.mock.calls.map(([, request]) => request)).toEqual([{ pinned: true }, { pinned: false }]);
});

test("forget asks once, then says what git's history and notes still hold", async () => {
  const forgetMemory = vi.fn(async () => example<Forgotten>("Forgotten.one"));
  const list = createEl("ul");
  new EntryRow(list, leo, "Z/memory", parts({ forgetMemory })).load();
  expect(buttons(list)).toEqual(["Edit", "Forget"]);
  await press(list, "Forget");
  expect(forgetMemory).not.toHaveBeenCalled();
  await press(list, "Keep");
  expect(list.textContent).toContain("said by you");
  await press(list, "Forget");
  await press(list, "Forget");
  expect(forgetMemory).toHaveBeenCalledWith(["3f9a1c20"]);
  expect(list.textContent).not.toContain("Leo");
  expect(list.textContent).toContain("in the commits 3f1c9a7 2026-03-02.");
  expect(list.find("a").textContent).toBe("Daily/2025-04-01");
});

test("a forget that fails keeps the entry and says why", async () => {
  const forgetMemory = async () => Promise.reject(new SidecarFailure("git_unavailable", "git refused."));
  const list = createEl("ul");
  new EntryRow(list, leo, "Z/memory", parts({ forgetMemory })).load();
  await press(list, "Forget");
  await press(list, "Forget");
  expect(list.textContent).toContain("Leo is eight");
  expect(list.find(".zibaldone-failure").textContent).toContain("git refused.");
});

test("below an answer a line opens to what the model was told", async () => {
  const load = vi.fn(async () => memory);
  const el = createDiv();
  new Used(el, ["e1f20a6b", "gone0000"], parts({ memory: load })).load();
  const details = el.find("details") as HTMLDetailsElement;
  expect(details.textContent).toBe("Used 2 memories");
  expect(load).not.toHaveBeenCalled();
  details.open = true;
  details.dispatchEvent(new Event("toggle"));
  await settle();
  expect(load).toHaveBeenCalledWith(true);
  expect(el.findAll("a").map((link) => link.textContent)).toEqual(["Moving to Augsburg in May"]);
  expect(el.textContent).toContain("1 was forgotten since.");
});

async function open(modal: AgendaModal): Promise<HTMLElement> {
  modal.onOpen();
  await settle();
  return modal.contentEl;
}

test("the list is by type, with what has faded and what is not understood; a word narrows it down", async () => {
  const el = createDiv();
  new MemoryList(el, memory, "Zibaldone/memory", parts()).load();
  const headings = () =>
    el
      .findAll("section")
      .filter((section) => section.isShown() || section.style.display !== "none")
      .map((section) => section.find("h3").textContent);
  expect(headings()).toEqual([
    "About you",
    "How you like things done",
    "What you are at",
    "Faded: not told to the model any more",
  ]);
  expect(el.textContent).toContain("Zibaldone/memory/user.md, line 11: “colour blue” is not understood");
  const search = el.find("input") as HTMLInputElement;
  const type = (text: string): void => {
    search.value = text;
    search.dispatchEvent(new Event("input"));
  };
  type("AUGSBURG");
  expect(headings()).toEqual(["What you are at"]);
  type("nobody");
  expect(headings()).toEqual([]);
});

test("where nothing is remembered it says what to do", () => {
  const el = createDiv();
  new MemoryList(el, { entries: [], expired: [], problems: [] }, "Z/memory", parts()).load();
  expect(el.textContent).toContain("Nothing is");
});

test("an entry is edited in its place, and a conflict is settled for it", async () => {
  const edited = { ...leo, content: "Leo is nine" };
  const editMemory = vi.fn(async () => ({ ...told, entry: edited }));
  const keepMemory = vi.fn(async () => ({ ...told, entry: { ...leo, conflicts_with: [] } }));
  const changed = vi.fn();
  const list = createEl("ul");
  const torn = { ...leo, conflicts_with: [short.id] };
  const find = (id: string) => [leo, short].find((entry) => entry.id === id);
  new EntryRow(list, torn, "Z/memory", { ...parts({ editMemory, keepMemory }), find, changed }).load();
  expect(list.textContent).toContain(`Does not go together with: ${short.content}`);
  await press(list, "Keep this one");
  expect(keepMemory).toHaveBeenCalledWith(leo.id, [short.id]);
  expect(changed).toHaveBeenCalledTimes(1);
  await press(list, "Edit");
  (list.find("textarea") as HTMLTextAreaElement).value = " Leo is nine ";
  await press(list, "Save");
  expect(editMemory).toHaveBeenCalledWith(leo.id, { content: "Leo is nine", type: "user" });
  expect(list.textContent).toContain("Leo is nine");
});

test("the history has each change beside what was there before", () => {
  const at = (second: number) => `2026-03-04T09:00:0${second}Z`;
  const events = [
    { at: at(2), action: "edited", entry: { ...leo, content: "Leo is nine" } },
    { at: at(1), action: "added", entry: leo },
  ];
  expect(listSteps(events).map(({ event, before }) => [event.action, before])).toEqual([
    ["edited", leo.content],
    ["added", null],
  ]);
});

test("the agenda has today first, then the days to come, then what is late", async () => {
  const agenda = example<Agenda>("Agenda.three");
  const { connect } = parts({ agenda: async () => agenda });
  const el = await open(new AgendaModal(app, "agenda.title", connect));
  expect(el.findAll("h3").map((heading) => heading.textContent)).toEqual([
    "Today, Wednesday, March 4",
    "Tuesday, March 10",
    "Overdue",
  ]);
  expect(el.findAll("a").map((link) => link.textContent)).toEqual([
    "Zahnarzt",
    "Steuererklärung",
    "Send the offer to the parish",
  ]);
  expect(agenda.items.map(sayItem)).toEqual([
    "3 days late · high priority · Kestrel",
    "09:30 · appointment · 2026-03-04",
    "deadline · Steuererklärung",
  ]);
});

test("an empty agenda says so, and of much that is late the rest folds away", async () => {
  const agenda = example<Agenda>("Agenda.three");
  const empty = parts({ agenda: async () => ({ ...agenda, items: [] }) });
  const el = await open(new AgendaModal(app, "agenda.title", empty.connect));
  expect(el.textContent).toContain("Nothing is due today.Nothing is due in the seven days after.");
  const [late] = agenda.items;
  const many = parts({
    agenda: async () => ({ ...agenda, items: late ? Array.from({ length: 10 }, () => late) : [] }),
  });
  const more = (await open(new AgendaModal(app, "agenda.title", many.connect))).find("details");
  expect(more.find("summary").textContent).toBe("and 2 more");
  expect(more.findAll("a")).toHaveLength(2);
});
