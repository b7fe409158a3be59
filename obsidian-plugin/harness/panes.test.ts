/** The panes beside the chat, commands, menus, links from outside and first steps, as a person goes through them. */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { say, useLanguage } from "../src/words";
import { findZib, type Look, type Obsidian } from "./driver";
import { flow } from "./flow";

const LOOKS: readonly Required<Look>[] = [
  { width: 300, theme: "light" },
  { width: 480, theme: "dark" },
  { width: 900, theme: "light" },
];

async function pictures(obsidian: Obsidian, name: string): Promise<void> {
  for (const look of LOOKS) await obsidian.screenshot(`${name}-${obsidian.language}-${look.width}-${look.theme}`, look);
  await obsidian.show({ width: 300, theme: "light" });
}

const note = (obsidian: Obsidian, path: string): string => readFileSync(join(obsidian.room.vault, path), "utf8");

for (const language of ["en", "de"] as const)
  flow(`related notes follow the note that is open, in ${language}`, { language }, async (obsidian) => {
    useLanguage(language);
    await obsidian.waitForReady();
    await obsidian.openNote("Projects/Tallinn Workshop.md");
    await obsidian.command("show-related");
    await obsidian.waitFor(".zibaldone-view", say("related.of", { note: "Tallinn Workshop" }));
    await obsidian.waitFor(".zibaldone-related");
    await pictures(obsidian, "related");
    await obsidian.openNote("Recipes/Rote Grütze.md");
    await obsidian.waitFor(".zibaldone-view", say("related.of", { note: "Rote Grütze" }));
    await obsidian.get(".zibaldone-related .zibaldone-place-link").first().focus();
    await obsidian.press("Enter");
    await obsidian.waitFor(".cm-line.is-flashing");
  });

async function proposeLinks(obsidian: Obsidian): Promise<void> {
  await obsidian.waitForReady();
  await obsidian.saveNote("Plan.md", "# Plan\n\nAsk about Rote Grütze today.\n\nThen the Tallinn Workshop.\n");
  await obsidian.waitForIndexed("Plan.md");
  await obsidian.openNote("Plan.md");
  await obsidian.command("suggest-links");
  await obsidian.waitFor(".zibaldone-hunk");
}

for (const language of ["en", "de"] as const)
  flow(
    `links are proposed, edited, approved and rejected by keyboard, in ${language}`,
    { language },
    async (obsidian) => {
      useLanguage(language);
      await proposeLinks(obsidian);
      await pictures(obsidian, "proposals");
      expect(note(obsidian, "Plan.md")).not.toContain("[[");
      await obsidian.get(".zibaldone-hunk").first().focus();
      await obsidian.press("e");
      await obsidian.get(".zibaldone-hunk-field").fill("Ask about [[Rote Grütze]] tomorrow.\n");
      await obsidian.screenshot(`proposals-edit-${language}`);
      await obsidian.press("Control+Enter");
      await obsidian.waitFor(".zibaldone-hunk ins", "tomorrow");
      await obsidian.get(".zibaldone-hunk").first().focus();
      await obsidian.press("a");
      await obsidian.waitFor(".cm-line", "Ask about [[Rote Grütze]] tomorrow.");
      await obsidian.waitForNotice(say("proposals.applied"));
      await obsidian.page.waitForFunction(() => document.querySelectorAll(".zibaldone-hunk").length === 1);
      await obsidian.get(".zibaldone-hunk").first().focus();
      await obsidian.press("r");
      await obsidian.waitFor(".zibaldone-empty", say("proposals.none"));
      expect(note(obsidian, "Plan.md")).toContain("Ask about [[Rote Grütze]] tomorrow.\n\nThen the Tallinn Workshop.");

      await obsidian.command("undo-last-change");
      await obsidian.waitFor(".modal", "Plan.md");
      await obsidian.screenshot(`undo-${language}`);
      await obsidian.press("Enter");
      await obsidian.waitFor(".cm-line", "Ask about Rote Grütze today.");
    },
  );

for (const language of ["en", "de"] as const)
  flow(`coverage says what became of each note, in ${language}`, { language }, async (obsidian) => {
    useLanguage(language);
    await obsidian.waitForReady();
    await obsidian.command("show-coverage");
    await obsidian.click(".zibaldone-tab[data-tab=skipped]");
    await obsidian.waitFor(".zibaldone-view .zibaldone-entry", "Templates/");
    await pictures(obsidian, "coverage");
    await obsidian.click(".zibaldone-pause");
    await obsidian.waitFor(".zibaldone-status-bar", say("bar.paused"));
    await obsidian.screenshot(`coverage-paused-${language}`);
    await obsidian.saveNote("Late.md", "# Late\n\nWritten while nobody looked.\n");
    await obsidian.click(".zibaldone-pause");
    await obsidian.waitForIndexed("Late.md");
    await obsidian.get(".zibaldone-tab[aria-selected=true]").focus();
    await obsidian.press("Home");
    await obsidian.waitFor(".zibaldone-view .zibaldone-entry", "Late.md");
  });

for (const language of ["en", "de"] as const)
  flow(`the memory is edited, settled and looked back on, in ${language}`, { language }, async (obsidian) => {
    useLanguage(language);
    await obsidian.command("open-chat");
    await obsidian.waitForReady();
    for (const line of ["! I drink my tea without sugar", "! Finishing the altarpiece this month"]) {
      await obsidian.ask(line);
      await obsidian.waitForEnd();
    }
    await obsidian.command("show-memory");
    await obsidian.waitFor(".zibaldone-view .zibaldone-entry", "altarpiece");
    await pictures(obsidian, "memory");
    const entry = obsidian.get(".zibaldone-entry").filter({ hasText: "sugar" });
    await entry.getByRole("button", { name: say("memory.edit"), exact: true }).click();
    await obsidian.get(".zibaldone-entry-form textarea").fill("I drink my tea with milk");
    await obsidian.screenshot(`memory-edit-${language}`);
    await obsidian.press("Control+Enter");
    await obsidian.waitFor(".zibaldone-view .zibaldone-entry", "with milk");
    await obsidian.get(".zibaldone-tab[aria-selected=true]").focus();
    await obsidian.press("End");
    await obsidian.waitFor(".zibaldone-history ins", "milk");
    await pictures(obsidian, "memory-history");
    await obsidian.press("ArrowLeft");
    await obsidian.waitFor(".zibaldone-tab[data-tab=rules]:focus");
    await obsidian.waitFor(".zibaldone-view", say("rules.none"));
    await obsidian.screenshot(`memory-rules-${language}`);
  });

flow("menus offer what fits, and a link from outside waits for a click", {}, async (obsidian) => {
  useLanguage("en");
  await obsidian.waitForReady();
  await obsidian.openNote("Recipes/Rote Grütze.md");
  await obsidian.page.evaluate(() => {
    window.harness.app.workspace.activeEditor?.editor.setSelection({ line: 0, ch: 0 }, { line: 2, ch: 0 });
    window.harness.openMenu(null);
  });
  await obsidian.screenshot("menu-editor");
  await obsidian
    .get(".menu-item")
    .filter({ hasText: say("command.askSelection") })
    .click();
  await obsidian.waitFor(".zibaldone-input");
  await expect.poll(() => obsidian.get(".zibaldone-input").inputValue()).toContain("> ");
  await obsidian.page.evaluate(() => window.harness.openMenu("Recipes/Rote Grütze.md"));
  await obsidian.screenshot("menu-file");
  await obsidian
    .get(".menu-item")
    .filter({ hasText: say("menu.summarise") })
    .click();
  await obsidian.waitFor(".zibaldone-question", say("summarise.question"));
  await obsidian.waitForEnd();
  const turns = await obsidian.get(".zibaldone-turn").count();
  await obsidian.page.evaluate(() => window.harness.openUri("zibaldone", { ask: "What am I paid?" }));
  await obsidian.waitFor(".modal", "What am I paid?");
  await obsidian.screenshot("uri");
  await obsidian.click(".zibaldone-uri-yes");
  await expect.poll(() => obsidian.get(".zibaldone-input").inputValue()).toContain("What am I paid?");
  expect(await obsidian.get(".zibaldone-turn").count()).toBe(turns);
});

flow("Obsidian's command line asks the same engine", {}, async (obsidian) => {
  useLanguage("en");
  await obsidian.waitForReady();
  const run = (command: string, data: Record<string, string> = {}) =>
    obsidian.page.evaluate(([name, given]) => window.harness.runCli(name, given), [command, data] as const);
  expect(await run("zibaldone")).toMatch(/\d+ notes indexed/);
  expect(await run("zibaldone:search", { query: "Tallinn fee" })).toContain("Projects/Tallinn Workshop.md:");
  expect(await run("zibaldone:related", { path: "Recipes/Rote Grütze.md" })).toMatch(/\d+%/);
  const answer = await run("zibaldone:ask", { question: "What am I paid for the Tallinn workshop?" });
  expect(answer).toContain("2,400 €");
  expect(answer).toContain("[1] Projects/Tallinn Workshop.md:");
});

for (const language of ["en", "de"] as const)
  flow(
    `a newcomer's walk to the first cited answer, in ${language}`,
    { language, zib: null, firstRun: true },
    async (obsidian) => {
      useLanguage(language);
      rmSync(join(obsidian.room.vault, ".git"), { recursive: true });
      await obsidian.waitFor(".zibaldone-step.is-now[data-step=program]");
      await obsidian.waitFor(".zibaldone-step", "scripts/setup");
      await pictures(obsidian, "walk-1-program");
      mkdirSync(obsidian.room.bin, { recursive: true });
      symlinkSync(findZib() ?? "", join(obsidian.room.bin, "zib"));
      await obsidian.click(".zibaldone-step .zibaldone-restart");
      await obsidian.waitFor(".zibaldone-step.is-now[data-step=git]");
      await pictures(obsidian, "walk-2-git");
      await obsidian.click(".zibaldone-step .mod-cta");
      await obsidian.waitFor(".zibaldone-step.is-done[data-step=git]");
      expect(existsSync(join(obsidian.room.vault, ".git"))).toBe(true);
      await obsidian.screenshot(`walk-3-index-${language}`);
      await obsidian.waitFor(".zibaldone-step.is-now[data-step=question]");
      const question = await obsidian.get(".zibaldone-first-question").innerText();
      await pictures(obsidian, "walk-4-question");
      await obsidian.click(".zibaldone-first-question");
      await expect.poll(() => obsidian.get(".zibaldone-input").inputValue()).toBe(question);
      await obsidian.get(".zibaldone-input").focus();
      await obsidian.press("Enter");
      await obsidian.waitFor(".zibaldone-question", question);
      await obsidian.waitForEnd();
      expect(await obsidian.turn.locator(".zibaldone-chip").count()).toBeGreaterThan(0);
      await pictures(obsidian, "walk-5-answer");
    },
  );
