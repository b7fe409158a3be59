import { App, Component, type App as ObsidianApp } from "obsidian";
import { beforeEach, expect, test, vi } from "vitest";
import { watchLinks } from "../src/chat/links";
import { folderOf, linkTo, noteName } from "../src/place";
import { settle } from "./support/fakes";

const openFile = vi.fn(async () => undefined);
const getLeaf = vi.fn((_kind: unknown) => ({ openFile }));
const openLinkText = vi.fn(async () => undefined);
const trigger = vi.fn();
let app: ObsidianApp;
const owner = new Component();
const hoverParent = { hoverPopover: null };

beforeEach(() => {
  vi.clearAllMocks();
  const apps = App as unknown as { createConfigured__(vault: object): ObsidianApp };
  app = apps.createConfigured__({ files: { "Projects/Kestrel.md": "" } });
  vi.spyOn(app.metadataCache, "getFirstLinkpathDest").mockImplementation((path) =>
    path === "Kestrel" ? app.vault.getFileByPath("Projects/Kestrel.md") : null,
  );
  Object.assign(app.workspace, { getLeaf, openLinkText, trigger });
});

const click = (el: HTMLElement, type = "click", init: MouseEventInit = {}): MouseEvent => {
  const event = new MouseEvent(type, { bubbles: true, cancelable: true, ...init });
  el.dispatchEvent(event);
  return event;
};

test("a link opens the note at the line, counted from 0 as Obsidian does", async () => {
  const el = createEl("a", { href: "#" });
  linkTo(el, { path: "Projects/Kestrel.md", line: 12, page: null }, { app, owner, hoverParent });
  expect(click(el).defaultPrevented).toBe(true);
  await settle();
  expect(openFile).toHaveBeenCalledWith(expect.objectContaining({ path: "Projects/Kestrel.md" }), {
    active: true,
    eState: { line: 11 },
  });
  click(el, "auxclick", { button: 1 });
  click(el, "auxclick", { button: 2 });
  await settle();
  expect(openFile).toHaveBeenCalledTimes(2);
});

test("a line that may have moved is found by what it holds, else it is the one that was named", async () => {
  const file = app.vault.getFileByPath("Projects/Kestrel.md");
  if (file) await app.vault.modify(file, "# Kestrel\n\n- Fee %%id 3f9a1c20, explicit%%\n");
  for (const mark of ["%%id 3f9a1c20", "%%id 00000000"]) {
    const el = createEl("a", { href: "#" });
    linkTo(el, { path: "Projects/Kestrel.md", line: 1, mark, page: null }, { app, owner, hoverParent });
    click(el);
    await settle();
  }
  expect(openFile.mock.calls.map((call: unknown[]) => call[1])).toEqual([
    { active: true, eState: { line: 2 } },
    { active: true, eState: { line: 0 } },
  ]);
});

test("a page of a PDF is opened as such", async () => {
  const el = createEl("a");
  linkTo(el, { path: "Projects/Kestrel.md", line: 1, page: 3 }, { app, owner, hoverParent });
  click(el);
  await settle();
  expect(openFile).toHaveBeenCalledWith(expect.anything(), { active: true, eState: { subpath: "#page=3" } });
});

test("a note that is gone opens nothing", async () => {
  const el = createEl("a");
  linkTo(el, { path: "Gone.md", line: 1, page: null }, { app, owner, hoverParent });
  click(el);
  await settle();
  expect(getLeaf).not.toHaveBeenCalled();
});

test("a file beside the vault is not taken for a note of the same path", async () => {
  const el = createEl("a");
  linkTo(el, { path: "//Projects/Kestrel.md", line: 1, page: null }, { app, owner, hoverParent });
  click(el);
  await settle();
  expect(getLeaf).not.toHaveBeenCalled();
});

test("hovering asks for Obsidian's page preview at the line", () => {
  const el = createEl("a");
  linkTo(el, { path: "Projects/Kestrel.md", line: 12, page: null }, { app, owner, hoverParent });
  const event = click(el, "mouseover");
  expect(trigger).toHaveBeenCalledWith("hover-link", {
    event,
    source: "zibaldone",
    hoverParent,
    targetEl: el,
    linktext: "Projects/Kestrel.md",
    sourcePath: "",
    state: { scroll: 11 },
  });
});

test("a link in an answer opens a note that exists, and never makes one", () => {
  const el = createDiv();
  const there = el.createEl("a", { cls: "internal-link", attr: { "data-href": "Kestrel#Budget" } });
  const nowhere = el.createEl("a", { cls: "internal-link", attr: { "data-href": "New note" } });
  watchLinks(el, { app, owner, hoverParent });
  for (const link of [there, nowhere]) expect(click(link).defaultPrevented).toBe(true);
  expect(openLinkText).toHaveBeenCalledOnce();
  expect(openLinkText).toHaveBeenCalledWith("Kestrel#Budget", "", expect.anything());
});

test("any other link but one to the web does nothing", () => {
  const page = createDiv();
  const el = page.createDiv();
  watchLinks(el, { app, owner, hoverParent });
  let prevented = false;
  page.addEventListener("click", (event) => {
    prevented = event.defaultPrevented;
    event.preventDefault();
  });
  const follow = (href: string): boolean => {
    click(el.createEl("a", { href }));
    return prevented;
  };
  expect(follow("https://example.org")).toBe(false);
  for (const href of ["obsidian://open", "file:///etc/passwd", "javascript:1"]) expect(follow(href)).toBe(true);
});

test("names of notes and folders", () => {
  expect([noteName("a/b.c.md"), folderOf("a/b/c.md")]).toEqual(["b.c", "a/b"]);
  expect([noteName("x.pdf"), folderOf("x.pdf")]).toEqual(["x.pdf", ""]);
});
