/** Asking, with a model that is a script: fast, and as slow between its words as a test needs it. */
import { expect } from "vitest";
import { say } from "../src/words";
import { flow } from "./flow";

const FEE = "What am I paid for the Tallinn workshop?";
const SLOW = { ZIBALDONE_FAKE_PAUSE_S: "0.1" };
/** So slow that no test waits for the end. */
const VERY_SLOW = { ZIBALDONE_FAKE_PAUSE_S: "2" };

flow("an answer is streamed, and its citation leads to the line", { env: SLOW }, async (obsidian) => {
  await obsidian.command("open-chat");
  await obsidian.waitForReady();
  await obsidian.ask(FEE);
  const first = await obsidian.waitForFirstWords();
  await obsidian.screenshot("ask-streaming");
  const whole = await obsidian.waitForEnd();
  expect(whole).toContain("2,400 €");
  expect(first.length).toBeLessThan(whole.length / 2);

  const chip = obsidian.turn.locator(".zibaldone-chip").first();
  await chip.hover();
  await obsidian.waitFor(".hover-popover", "2,400 €");
  await obsidian.screenshot("ask-hover");
  const asked = await obsidian.page.evaluate(() => window.harness.hovers.at(-1));
  expect(asked).toEqual({ linktext: "Projects/Tallinn Workshop.md", sourcePath: "", source: "zibaldone", line: 12 });

  await chip.click();
  expect(await (await obsidian.waitFor(".cm-line.is-flashing")).innerText()).toContain("- Fee: 2,400 €");
  await obsidian.waitFor(".mod-root .workspace-tab-header.is-active", "Tallinn Workshop");
  // The answer is still there: a click in it opens the note beside it.
  await obsidian.waitFor(".mod-right-split .zibaldone-chip");
  await obsidian.screenshot("ask-cited");
});

flow("stop keeps what was written, and the next question is answered", { env: VERY_SLOW }, async (obsidian) => {
  await obsidian.command("open-chat");
  await obsidian.ask(FEE);
  const first = await obsidian.waitForFirstWords();
  await obsidian.click(".zibaldone-send.is-stop");
  const stopped = await obsidian.waitForEnd();
  expect(stopped).toContain(first.trim());
  expect(stopped).toContain(say("turn.stopped"));
  await obsidian.screenshot("ask-stopped");
  // The one that was stopped is computed no more: else this one would wait for it.
  await obsidian.ask("Which colour was used for the queens of 2026?");
  expect(await obsidian.waitForFirstWords()).not.toBe("");
});

flow("a question about the current note is answered from it alone", {}, async (obsidian) => {
  await obsidian.openNote("Recipes/Rote Grütze.md");
  expect(await obsidian.command("ask-about-note")).toBe(true);
  await obsidian.waitFor(".zibaldone-about", "Rote Grütze");
  await obsidian.ask("Wieviel Zucker?");
  await obsidian.waitForEnd();
  await obsidian.screenshot("ask-note");
  const sources = await obsidian.turn.locator(".zibaldone-place-link").allInnerTexts();
  const recorded = await obsidian.turn.locator(".zibaldone-recorded .zibaldone-place-link").allInnerTexts();
  expect(new Set(sources.filter((source) => !recorded.includes(source)))).toEqual(new Set(["Rote Grütze"]));
});

flow("the note that is asked about is followed: renamed, and gone", {}, async (obsidian) => {
  await obsidian.waitForReady();
  await obsidian.openNote("Recipes/Rote Grütze.md");
  await obsidian.command("ask-about-note");
  await obsidian.waitFor(".zibaldone-about", "Rote Grütze");
  await obsidian.renameNote("Recipes/Rote Grütze.md", "Recipes/Red pudding.md");
  await obsidian.waitFor(".zibaldone-about", "Red pudding");
  await obsidian.deleteNote("Recipes/Red pudding.md");
  await obsidian.waitFor(".zibaldone-about.is-gone", "Red pudding");
  await obsidian.screenshot("ask-note-gone");
  await obsidian.click(".zibaldone-about-remove");
  await obsidian.get(".zibaldone-about").waitFor({ state: "detached" });
});

flow("a note that is left out of the index: all notes can be asked instead", {}, async (obsidian) => {
  await obsidian.waitForReady();
  await obsidian.openNote("Templates/Meeting.md");
  await obsidian.command("ask-about-note");
  await obsidian.ask(FEE);
  expect(await obsidian.waitForEnd()).toContain("Templates/Meeting.md");
  await obsidian.screenshot("ask-note-excluded");
  await obsidian.turn.locator(".zibaldone-action").click();
  await obsidian.waitFor(".zibaldone-turn", "2,400 €");
  await obsidian.get(".zibaldone-about").waitFor({ state: "detached" });
});

flow("a question that is too long is told, and a paste of megabytes is not put in", {}, async (obsidian) => {
  await obsidian.command("open-chat");
  await obsidian.waitForReady();
  const input = obsidian.get(".zibaldone-input");
  await input.focus();
  await obsidian.type("word ".repeat(1_000).trim());
  await obsidian.waitFor(".zibaldone-composer-remark", "999 characters too long");
  await obsidian.press("Enter");
  await obsidian.screenshot("ask-too-long");
  expect(await obsidian.get(".zibaldone-turn").count()).toBe(0);
  await obsidian.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await obsidian.page.evaluate(async () => await navigator.clipboard.writeText("x".repeat(5_000_000)));
  await obsidian.press("Control+V");
  await obsidian.waitFor(".zibaldone-composer-remark", "5,000,000 characters are too many");
  expect((await input.inputValue()).length).toBe(4_999);
});

flow("Enter that picks a word of an input method sends nothing", {}, async (obsidian) => {
  await obsidian.command("open-chat");
  await obsidian.waitForReady();
  await obsidian.get(".zibaldone-input").focus();
  const composing = obsidian.page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        const hear = ({ key, isComposing }: KeyboardEvent) => key === "Enter" && resolve(isComposing);
        window.addEventListener("keydown", hear, { capture: true, once: true });
      }),
  );
  const browser = await obsidian.context.newCDPSession(obsidian.page);
  await browser.send("Input.imeSetComposition", { text: "わーくしょっぷ", selectionStart: 7, selectionEnd: 7 });
  await obsidian.press("Enter");
  expect(await composing).toBe(true);
  await browser.send("Input.insertText", { text: "ワークショップ" });
  // Some input methods end the composition first and say only by the code that the key was theirs.
  await obsidian.get(".zibaldone-input").dispatchEvent("keydown", { key: "Enter", keyCode: 229, bubbles: true });
  expect(await obsidian.get(".zibaldone-input").inputValue()).toContain("ワークショップ");
  expect(await obsidian.get(".zibaldone-turn").count()).toBe(0);
  await obsidian.press("Shift+Enter");
  expect(await obsidian.get(".zibaldone-turn").count()).toBe(0);
  await obsidian.press("Enter");
  await obsidian.waitFor(".zibaldone-question", "ワークショップ");
});

flow("the pane works in a window of its own", { env: SLOW }, async (obsidian) => {
  await obsidian.command("open-chat");
  await obsidian.waitForReady();
  await obsidian.ask(FEE);
  await obsidian.waitForFirstWords();
  const opened = obsidian.context.waitForEvent("page");
  await obsidian.page.evaluate(() => {
    const { workspace } = window.harness.app;
    const [leaf] = workspace.getLeavesOfType("zibaldone-chat");
    if (leaf) workspace.moveLeafToPopout(leaf);
  });
  const popout = await opened;
  // What was being written goes on there.
  expect(await obsidian.waitForEnd(popout)).toContain("2,400 €");
  expect(await obsidian.get(".zibaldone-chat").count()).toBe(0);

  await obsidian.ask("What colour is a queen of 2026?", popout);
  await popout.locator(".zibaldone-turn").nth(1).waitFor();
  await obsidian.waitForEnd(popout);
  await popout.locator(".zibaldone-turn .zibaldone-chip").first().click();
  expect(await (await obsidian.waitFor(".cm-line.is-flashing")).innerText()).toContain("- Fee: 2,400 €");
  await popout.close();
  await obsidian.page.waitForFunction(
    () => window.harness.app.workspace.getLeavesOfType("zibaldone-chat").length === 0,
  );
  // And it opens again in the sidebar, with the conversation in it.
  await obsidian.command("open-chat");
  await obsidian.waitFor(".mod-right-split .zibaldone-turn", "2,400 €");
});
