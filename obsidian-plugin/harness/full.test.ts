/**
 * The whole walk with the default models, a picture of every step at 300 and 600 pixels, light and dark: to be looked at by a
 * person. Minutes long, so only with ZIBALDONE_FULL=1 (`npm run test:full`).
 */
import { expect } from "vitest";
import { DEFAULT, hasModels, type Look, type Obsidian } from "./driver";
import { say } from "../src/words";
import { flow } from "./flow";

const wanted = process.env["ZIBALDONE_FULL"] === "1";
const missing = !hasModels(DEFAULT);
if (wanted && missing)
  console.warn(`\n*** SKIPPED: the full walk (zib models pull ${DEFAULT.chat} ${DEFAULT.embed}). ***\n`);

const LOOKS: Required<Look>[] = [300, 600].flatMap((width) => [
  { width, theme: "light" },
  { width, theme: "dark" },
]);

/** `prepare` is done again in every look: a popover goes when the pane under it changes. */
async function pictures(obsidian: Obsidian, step: string, prepare = async () => {}): Promise<void> {
  for (const look of LOOKS) {
    await obsidian.show(look);
    await obsidian.page.mouse.move(0, 0);
    await prepare();
    await obsidian.screenshot(`full-${step}-${obsidian.language}-${look.width}-${look.theme}`, look);
  }
}

const OPTIONS = { models: DEFAULT, skip: !wanted || missing, minutes: 20 };

flow("the whole walk", OPTIONS, async (obsidian) => {
  obsidian.page.setDefaultTimeout(240_000);
  await obsidian.command("open-chat");
  await pictures(obsidian, "00-start");
  await obsidian.waitForReady();
  await pictures(obsidian, "01-ready");

  await obsidian.ask("What am I paid for the Tallinn workshop?");
  await pictures(obsidian, "02-asked");
  await obsidian.waitForFirstWords();
  await pictures(obsidian, "03-streaming");
  expect(await obsidian.waitForEnd()).toContain("2,400 €");
  await pictures(obsidian, "04-answered");
  const chip = obsidian.turn.locator(".zibaldone-chip").first();
  await pictures(obsidian, "05-hover", async () => {
    await chip.hover();
    await obsidian.waitFor(".hover-popover");
  });
  await chip.click();
  await obsidian.waitFor(".cm-line.is-flashing");
  await pictures(obsidian, "06-cited");

  await obsidian.ask("What happened to the bees in 2025 and 2026?");
  await obsidian.waitForFirstWords();
  await obsidian.click(".zibaldone-send.is-stop");
  await obsidian.waitForEnd();
  await pictures(obsidian, "07-stopped");

  await obsidian.openNote("Recipes/Rote Grütze.md");
  await obsidian.command("ask-about-note");
  await obsidian.waitFor(".zibaldone-about");
  await pictures(obsidian, "08-about-note");
  await obsidian.ask("How much sago does it take?");
  await obsidian.waitForEnd();
  await pictures(obsidian, "09-about-note-answered");
  await obsidian.click(".zibaldone-about-remove");

  const question = "How many litres does the rain barrel at the allotment hold?";
  await obsidian.saveNote(
    "Areas/Rain barrel.md",
    "# Rain barrel\n\nThe rain barrel at the allotment holds 310 litres.\n",
  );
  await obsidian.waitForIndexed("Areas/Rain barrel.md");
  await obsidian.ask(question);
  expect(await obsidian.waitForEnd()).toContain("310");
  await pictures(obsidian, "10-saved");
  await obsidian.renameNote("Areas/Rain barrel.md", "Areas/Water butt.md");
  await obsidian.waitForIndexed("Areas/Water butt.md");
  await obsidian.ask(question);
  expect(await obsidian.waitForEnd()).toContain("Water butt");
  await pictures(obsidian, "11-renamed");
  await obsidian.deleteNote("Areas/Water butt.md");
  await obsidian.waitForIndexed("Areas/Water butt.md", false);
  await obsidian.ask(question);
  expect(await obsidian.waitForEnd()).not.toMatch(/Water butt|Rain barrel\.md/);
  await pictures(obsidian, "12-deleted");

  await obsidian.ask("When does my passport run out?");
  await obsidian.waitForEnd();
  await pictures(obsidian, "13-abstained");

  await obsidian.command("search");
  await obsidian.type("Blattgold für Tallinn");
  await obsidian.waitFor(".suggestion-item");
  await pictures(obsidian, "14-search");
  await obsidian.press("Escape");
  await obsidian.command("show-status");
  await obsidian.waitFor(".modal", DEFAULT.chat);
  await pictures(obsidian, "15-status");
  await obsidian.press("Escape");
  await obsidian.openSettings();
  await pictures(obsidian, "16-settings");
  await obsidian
    .get(".setting-item.mod-page")
    .filter({ hasText: say("settings.reported") })
    .click();
  await obsidian.waitFor(".setting-item", "models.chat");
  await pictures(obsidian, "17-settings-reported");
});

flow("the same in German", { ...OPTIONS, language: "de" }, async (obsidian) => {
  obsidian.page.setDefaultTimeout(240_000);
  await obsidian.command("open-chat");
  await obsidian.waitForReady();
  await pictures(obsidian, "01-ready");
  await obsidian.ask("Wieviel Zucker kommt in die Rote Grütze?");
  await obsidian.waitForEnd();
  await pictures(obsidian, "04-answered");
  await obsidian.command("show-status");
  await obsidian.waitFor(".modal", DEFAULT.chat);
  await pictures(obsidian, "15-status");
});

flow("no zib, in German", { ...OPTIONS, language: "de", zib: null }, async (obsidian) => {
  await obsidian.command("open-chat");
  await obsidian.waitFor(".zibaldone-state[data-state=failed]");
  await pictures(obsidian, "20-missing");
});
