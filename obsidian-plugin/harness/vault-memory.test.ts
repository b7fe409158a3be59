/** The memory of the vault as a person goes through it: each tab, by keyboard and by mouse, in both languages. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { say, useLanguage } from "../src/words";
import type { Look, Obsidian } from "./driver";
import { flow } from "./flow";

const FULL = process.env["ZIBALDONE_FULL"] === "1";
/** All widths in both themes only where the whole grid is wanted. */
const LOOKS: readonly Required<Look>[] = FULL
  ? [300, 480, 900].flatMap((width) => (["light", "dark"] as const).map((theme) => ({ width, theme })))
  : [
      { width: 300, theme: "light" },
      { width: 480, theme: "dark" },
    ];

async function pictures(obsidian: Obsidian, name: string): Promise<void> {
  for (const look of LOOKS)
    await obsidian.screenshot(`vault-memory-${name}-${obsidian.language}-${look.width}-${look.theme}`, look);
  await obsidian.show({ width: 300, theme: "light" });
}

/** The pane, with what the sidecar built when it was asked to. */
async function build(obsidian: Obsidian): Promise<void> {
  await obsidian.waitForReady();
  await obsidian.command("show-vault-memory");
  await obsidian.waitFor(".zibaldone-empty", say("vaultMemory.notBuilt"));
  await obsidian.screenshot(`vault-memory-unbuilt-${obsidian.language}`);
  await obsidian
    .get(".zibaldone-build")
    .getByRole("button", { name: say("vaultMemory.build") })
    .click();
  await obsidian.waitFor(".zibaldone-node");
  await obsidian
    .get(".zibaldone-build")
    .getByRole("button", { name: say("vaultMemory.build") })
    .waitFor();
}

/** With the tabs' own keys, from wherever the focus is in them. */
async function goTo(obsidian: Obsidian, name: string): Promise<void> {
  await obsidian.press("ArrowRight");
  await obsidian.waitFor(`.zibaldone-tab[data-tab=${name}][aria-selected=true]:focus`);
}

for (const language of ["en", "de"] as const)
  flow(`each tab of the vault's memory by keyboard, in ${language}`, { language }, async (obsidian) => {
    useLanguage(language);
    await build(obsidian);
    await obsidian.get(".zibaldone-tab[aria-selected=true]").focus();
    await pictures(obsidian, "concepts");
    await obsidian.press("Tab");
    await obsidian.press("Enter");
    await obsidian.waitFor(".zibaldone-node details[open] .zibaldone-quote");
    await pictures(obsidian, "concept");
    await obsidian.get(".zibaldone-evidence .zibaldone-place-link").first().focus();
    await obsidian.press("Enter");
    await obsidian.waitFor(".cm-line.is-flashing");

    await obsidian.get(".zibaldone-tab[aria-selected=true]").focus();
    await goTo(obsidian, "timeline");
    await obsidian.waitFor(".zibaldone-month details[open] .zibaldone-node");
    await pictures(obsidian, "timeline");
    await goTo(obsidian, "drift");
    await obsidian.waitFor(".zibaldone-line");
    await obsidian.press("Tab");
    await obsidian.press("Enter");
    await obsidian.waitFor(".zibaldone-windows li");
    await pictures(obsidian, "drift");
    await obsidian.get(".zibaldone-tab[aria-selected=true]").focus();
    await goTo(obsidian, "forgetting");
    await obsidian.waitFor(".zibaldone-figure", say("vaultMemory.staleness"));
    await pictures(obsidian, "forgetting");
    await goTo(obsidian, "recall");
    await obsidian.get(".zibaldone-show-answer").focus();
    await pictures(obsidian, "recall-question");
    const first = await obsidian.get(".zibaldone-card-question").innerText();
    await obsidian.press("Enter");
    await obsidian.waitFor(".zibaldone-card-answer");
    await obsidian.waitFor(".zibaldone-recall .zibaldone-evidence .zibaldone-place-link");
    await pictures(obsidian, "recall-answer");
    await obsidian.press("3");
    await obsidian.waitFor(".zibaldone-recall-status", /20\d\d/);
    await expect.poll(() => obsidian.get(".zibaldone-card-question").innerText()).not.toBe(first);
    await obsidian.waitFor(".zibaldone-show-answer:focus");
    await obsidian.get(".zibaldone-tab[aria-selected=true]").focus();
    await obsidian.press("Home");
    await obsidian.waitFor(".zibaldone-tab[data-tab=concepts][aria-selected=true]:focus");
  });

flow("concepts lead to their notes, and what slips away to its words and its card", {}, async (obsidian) => {
  useLanguage("en");
  await build(obsidian);
  await obsidian.command("write-concept-notes");
  await obsidian.waitForNotice("notes written");
  const written = readdirSync(join(obsidian.room.vault, "Zibaldone/concepts")).length;
  await obsidian.page.waitForFunction((count) => {
    const { vault, metadataCache } = window.harness.app;
    const notes = vault.getFiles().filter(({ path }) => path.startsWith("Zibaldone/concepts/"));
    return notes.length === count && notes.every((file) => metadataCache.getFileCache(file) !== null);
  }, written);
  await obsidian.click(".zibaldone-node summary");
  await obsidian.get(".zibaldone-node-body").getByText(say("vaultMemory.openNote")).click();
  const opened = () => obsidian.page.evaluate(() => window.harness.app.workspace.getActiveFile()?.path ?? "");
  await expect.poll(opened).toMatch(/^Zibaldone\/concepts\//);

  // A chip's preview, as citations have it.
  const link = obsidian.get(".zibaldone-evidence .zibaldone-place-link").first();
  await link.hover();
  await obsidian.waitFor(".hover-popover");
  await obsidian.page.mouse.move(0, 0);

  await obsidian.command("show-forgetting");
  await obsidian.waitFor(".zibaldone-tab[data-tab=forgetting][aria-selected=true]");
  const row = obsidian.get(".zibaldone-node").first();
  const title = await row.locator(".zibaldone-node-title").innerText();
  await row.getByRole("button", { name: say("vaultMemory.open") }).click();
  await obsidian.waitFor(".cm-line.is-flashing");
  await row.getByRole("button", { name: say("vaultMemory.askMe") }).click();
  await obsidian.waitFor(".zibaldone-card-question", title);
  await obsidian.click(".zibaldone-show-answer");
  await obsidian.get("[data-grade=easy]").click();
  await obsidian.waitFor(".zibaldone-empty", "Done: 1 card.");
  await obsidian.command("show-recall");
  await obsidian.waitFor(".zibaldone-card-question");
  expect(await obsidian.get(".zibaldone-card-question").innerText()).not.toContain(title);
});

flow("building is held, goes on, and is offered where the chat and a terminal ask", {}, async (obsidian) => {
  useLanguage("en");
  await obsidian.waitForReady();
  await obsidian.page.evaluate(() => window.harness.openUri("zibaldone", { open: "vault-memory" }));
  await obsidian.click(".zibaldone-uri-yes");
  const button = (name: string) => obsidian.get(".zibaldone-build").getByRole("button", { name, exact: true });
  await button(say("vaultMemory.pause")).click();
  await obsidian.waitFor(".zibaldone-build-progress", "Paused:");
  await obsidian.screenshot("vault-memory-paused");
  await button(say("vaultMemory.resume")).click();
  await button(say("vaultMemory.pause")).waitFor();
  await button(say("vaultMemory.build")).click();
  await obsidian.waitFor(".zibaldone-node");

  const run = (command: string) => obsidian.page.evaluate((name) => window.harness.runCli(name, {}), command);
  expect(await run("zibaldone:concepts")).toMatch(/\d+ events?/);
  expect(await run("zibaldone:timeline")).toMatch(/20\d\d/);
  expect(await run("zibaldone:forgetting")).toMatch(/\d+% {2}.*last touched/);

  await obsidian.command("open-chat");
  await obsidian.get(".zibaldone-input").fill("/forget");
  await obsidian.waitFor(".zibaldone-suggestion.is-selected", say("slash.what.forgetting"));
  await obsidian.press("Enter");
  await obsidian.waitFor(".zibaldone-tab[data-tab=forgetting][aria-selected=true]");
  await obsidian.command("open-chat");
  await obsidian.get(".zibaldone-input").fill("/themes");
  await obsidian.press("Enter");
  await obsidian.waitFor(".zibaldone-question", say("themes.question"));
  await obsidian.waitForEnd();
  expect(await obsidian.turn.locator(".zibaldone-chip").count()).toBeGreaterThan(0);
});

flow("without a sidecar the pane says so, and starts it", { zib: { script: ["exit 3"] } }, async (obsidian) => {
  useLanguage("en");
  await obsidian.command("show-vault-memory");
  await obsidian.waitFor(".zibaldone-view .zibaldone-restart");
  await obsidian.screenshot("vault-memory-no-sidecar");
  expect(await obsidian.get(".zibaldone-build").isVisible()).toBe(false);
});
