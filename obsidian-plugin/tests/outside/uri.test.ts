import { App, type App as ObsidianApp, type Modal } from "obsidian";
import { expect, test, vi } from "vitest";
import { handleUri, readUri } from "../../src/outside/uri";

const app = (App as unknown as { createConfigured__(): ObsidianApp }).createConfigured__();

function actions() {
  return {
    draft: vi.fn(),
    search: vi.fn(),
    openRelated: vi.fn(),
    openProposals: vi.fn(),
    openMemory: vi.fn(),
    openVaultMemory: vi.fn(),
    showAgenda: vi.fn(),
    openChat: vi.fn(),
  };
}

test("a link does nothing before it is clicked, and then it sends nothing", () => {
  const given = actions();
  const opened: Modal[] = [];
  handleUri(app, { action: "zibaldone", ask: "Who am I?" }, given, (modal) => opened.push(modal));
  const [modal] = opened;
  void modal?.onOpen();
  expect(modal?.contentEl.textContent).toContain("Who am I?");
  expect(Object.values(given).flatMap((one) => one.mock.calls)).toEqual([]);
  modal?.contentEl.find(".zibaldone-uri-yes").click();
  expect(given.draft).toHaveBeenCalledWith("Who am I?");
});

test("the tabs of the vault's memory are opened by their names", () => {
  const given = actions();
  for (const open of ["vault-memory", "forgetting", "recall"]) readUri({ open })?.run(given);
  expect(given.openVaultMemory.mock.calls).toEqual([[], ["forgetting"], ["recall"]]);
});

test("what there is not is not asked for", () => {
  for (const open of ["settings", "constructor", "__proto__", "../chat"]) expect(readUri({ open })).toBeNull();
  expect(readUri({})?.words).toBe("uri.chat");
  expect(readUri({ search: "  bees " })?.text).toBe("bees");
  expect(readUri({ ask: "x".repeat(10_000) })?.text).toHaveLength(4000);
});
