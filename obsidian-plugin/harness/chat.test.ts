/** Around a question and an answer: mentions, commands, asking anew, what an answer is used for, earlier conversations. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { say, sayCount, useLanguage } from "../src/words";
import type { Obsidian } from "./driver";
import { flow } from "./flow";
import { answer, SCRIPTED, scriptAnswer, streamOf } from "./scripted";

const FEE = "What am I paid for the Tallinn workshop?";
const QUEEN = "What colour is a queen of 2026?";
const SLOW = { ZIBALDONE_FAKE_PAUSE_S: "0.1" };

async function begin(obsidian: Obsidian): Promise<void> {
  await obsidian.command("open-chat");
  await obsidian.waitForReady();
  await obsidian.get(".zibaldone-input").focus();
}

async function answered(obsidian: Obsidian, question: string): Promise<string> {
  await obsidian.ask(question);
  return await obsidian.waitForEnd();
}

/** A button of the last answer, by its label. */
function use(obsidian: Obsidian, label: string) {
  return obsidian.turn.getByRole("button", { name: label, exact: true });
}

async function questions(obsidian: Obsidian): Promise<string[]> {
  return await obsidian.get(".zibaldone-question-text").allInnerTexts();
}

flow("a question is edited and asked again in its place; an answer is made again", {}, async (obsidian) => {
  await begin(obsidian);
  await answered(obsidian, FEE);
  await answered(obsidian, QUEEN);
  await obsidian.turn.hover();
  await obsidian.turn.locator(".zibaldone-edit").click();
  await obsidian.screenshot("chat-edit");
  await obsidian.press("Escape");
  // Leaving it brings the focus back to where it was.
  expect(await obsidian.page.evaluate(() => document.activeElement?.className)).toContain("zibaldone-edit");
  await obsidian.press("Enter");
  await obsidian.turn.locator(".zibaldone-question textarea").fill("Which colour was used for the queens of 2026?");
  await obsidian.press("Enter");
  await obsidian.waitFor(".zibaldone-turn:last-child .zibaldone-question-text", "Which colour was used");
  await obsidian.waitForEnd();
  expect(await questions(obsidian)).toEqual([FEE, "Which colour was used for the queens of 2026?"]);

  await use(obsidian, say("use.regenerate")).click();
  await obsidian.get(".zibaldone-turn.is-running").waitFor();
  await obsidian.waitForEnd();
  expect(await questions(obsidian)).toHaveLength(2);

  // An earlier question: what followed it is kept as it was, in a conversation of its own.
  await obsidian.get(".zibaldone-turn").first().hover();
  await obsidian.get(".zibaldone-turn").first().locator(".zibaldone-edit").click();
  await obsidian.get(".zibaldone-question textarea").fill("What am I paid for Tallinn?");
  await obsidian.press("Enter");
  await obsidian.waitFor(".zibaldone-turn:last-child .zibaldone-question-text", "paid for Tallinn?");
  await obsidian.waitForEnd();
  expect(await questions(obsidian)).toHaveLength(1);
  await obsidian.click(".zibaldone-show-history");
  await obsidian.waitFor(".suggestion-item", sayCount("history.turns", 2));
  expect(await obsidian.get(".suggestion-item").count()).toBe(2);
});

flow(
  "notes, folders and tags are mentioned by keys alone, and what is limited is answered from there",
  {},
  async (obsidian) => {
    await begin(obsidian);
    await obsidian.openNote("Areas/Bees.md");
    await obsidian.command("open-chat");
    await obsidian.page.keyboard.type("@");
    await obsidian.waitFor(".zibaldone-suggestion.is-selected", "Bees");
    await obsidian.screenshot("chat-mention");
    await obsidian.page.keyboard.type("rote gru");
    await obsidian.waitFor(".zibaldone-suggestion.is-selected", "Rote Grütze");
    await obsidian.press("Enter");
    await obsidian.waitFor(".zibaldone-about", "Rote Grütze");
    expect(await obsidian.get(".zibaldone-input").inputValue()).toBe("");
    await obsidian.page.keyboard.type("Wieviel Zucker? [[tallinn w");
    await obsidian.waitFor(".zibaldone-suggestion.is-selected", "Tallinn Workshop");
    await obsidian.press("Tab");
    expect(await obsidian.get(".zibaldone-input").inputValue()).toBe("Wieviel Zucker? Tallinn Workshop ");
    await obsidian.screenshot("chat-chips");
    await obsidian.get(".zibaldone-about").filter({ hasText: "Tallinn" }).getByRole("button").click();
    await obsidian.get(".zibaldone-input").fill("Wieviel Zucker?");
    await obsidian.press("Enter");
    await obsidian.waitForEnd();
    await obsidian.turn.locator(".zibaldone-why-passages summary").click();
    const found = await obsidian.turn.locator(".zibaldone-why-passages .zibaldone-place-link").allInnerTexts();
    expect(new Set(found)).toEqual(new Set(["Rote Grütze"]));

    await obsidian.click(".zibaldone-about-remove");
    await obsidian.page.keyboard.type("@recipes");
    await obsidian.waitFor(".zibaldone-suggestion.is-selected", "Recipes");
    await obsidian.press("Enter");
    await obsidian.waitFor(".zibaldone-about", "Recipes/");
    await answered(obsidian, "Wieviel Zucker?");
    // A list that nobody wants goes, and the text stays.
    await obsidian.page.keyboard.type("mail @b");
    await obsidian.waitFor(".zibaldone-suggestion");
    await obsidian.press("Escape");
    await obsidian.get(".zibaldone-suggestion").first().waitFor({ state: "detached" });
    expect(await obsidian.get(".zibaldone-input").inputValue()).toBe("mail @b");
  },
);

flow("the selected lines alone are asked about", {}, async (obsidian) => {
  await begin(obsidian);
  await obsidian.openNote("Projects/Tallinn Workshop.md");
  await obsidian.page.evaluate(() => {
    const editor = window.harness.app.workspace.activeEditor?.editor;
    const lines = editor?.getValue().split("\n") ?? [];
    const line = lines.findIndex((text) => text.startsWith("- Fee"));
    editor?.setSelection({ line, ch: 0 }, { line: line + 1, ch: 4 });
  });
  await obsidian.command("open-chat");
  await obsidian.page.keyboard.type("/selec");
  await obsidian.waitFor(".zibaldone-suggestion.is-selected", say("slash.what.selection"));
  await obsidian.screenshot("chat-slash");
  await obsidian.press("Enter");
  await obsidian.waitFor(".zibaldone-about", "Tallinn Workshop, lines 13–14");
  expect(await answered(obsidian, "What is the fee?")).toContain("2,400 €");
  await obsidian.waitFor(".zibaldone-question-about", "lines 13–14");
  await obsidian.get(".zibaldone-input").fill("");
  await obsidian.page.keyboard.type("/all");
  await obsidian.press("Enter");
  await obsidian.get(".zibaldone-about").waitFor({ state: "detached" });
});

flow(
  "an answer goes where the cursor was when it was asked for, whatever is done meanwhile",
  { env: SLOW },
  async (obsidian) => {
    await begin(obsidian);
    await obsidian.openNote("Areas/Bees.md");
    await obsidian.page.evaluate(() => {
      const editor = window.harness.app.workspace.activeEditor?.editor;
      editor?.setCursor({ line: editor.lastLine(), ch: 0 });
    });
    await obsidian.ask(FEE);
    await obsidian.waitForFirstWords();
    // Typed above it, moved away, another note opened.
    await obsidian.page.evaluate(() => {
      const editor = window.harness.app.workspace.getLeavesOfType("markdown").map(({ view }) => view)[0] as unknown as {
        editor: { replaceRange(text: string, at: object): void; setCursor(at: object): void };
      };
      editor.editor.replaceRange("New first line\n", { line: 0, ch: 0 });
      editor.editor.setCursor({ line: 1, ch: 0 });
    });
    await obsidian.page.evaluate(async () => {
      const { workspace, vault } = window.harness.app;
      const file = vault.getFileByPath("Areas/Health.md");
      if (file) await workspace.getLeaf("tab").openFile(file);
    });
    await obsidian.waitForEnd();
    await use(obsidian, say("use.insertAt", { note: "Bees" })).click();
    await obsidian.waitForNotice(say("use.inserted", { note: "Bees" }));
    const texts = await obsidian.page.evaluate(() =>
      window.harness.app.workspace
        .getLeavesOfType("markdown")
        .map(({ view }) => (view as unknown as { getViewData(): string }).getViewData()),
    );
    const bees = texts.find((text) => text.startsWith("New first line")) ?? "";
    expect(bees.slice(-1_000)).toContain("2,400 €");
    expect(bees).toMatch(/\(\[\[Tallinn Workshop[^\]]*\|1\]\]\)/);
    expect(texts.filter((text) => text.includes("2,400 €"))).toHaveLength(1);

    await obsidian.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await use(obsidian, say("use.copy")).click();
    await obsidian.waitForNotice(say("use.copied"));
    expect(await obsidian.page.evaluate(async () => await navigator.clipboard.readText())).toContain("2,400 €");

    await use(obsidian, say("use.newNote")).click();
    await obsidian.waitFor(".zibaldone-name", "Areas/What am I paid for the Tallinn workshop.md");
    await obsidian.screenshot("chat-new-note");
    await obsidian.type("Fee: Tallinn/2026?");
    await obsidian.waitFor(".zibaldone-name", "Areas/Fee- Tallinn-2026.md");
    await obsidian.press("Enter");
    await obsidian.waitFor(".mod-root .workspace-tab-header.is-active", "Fee- Tallinn-2026");
    expect(readFileSync(join(obsidian.room.vault, "Areas/Fee- Tallinn-2026.md"), "utf8")).toContain("2,400 €");

    await obsidian.click(".zibaldone-save");
    await obsidian.waitFor(".zibaldone-name", "Zibaldone/chats/");
    await obsidian.press("Enter");
    await obsidian.waitFor(".mod-root .workspace-tab-header.is-active", "What am I paid");
    const [saved = ""] = readdirSync(join(obsidian.room.vault, "Zibaldone/chats"));
    expect(readFileSync(join(obsidian.room.vault, "Zibaldone/chats", saved), "utf8")).toMatch(/^> What am I paid/);
  },
);

flow("why it was found, what the model could hold, and the commit with its undo", {}, async (obsidian) => {
  await begin(obsidian);
  await answered(obsidian, FEE);
  await obsidian.turn.locator(".zibaldone-why-passages summary").click();
  await obsidian.waitFor(".zibaldone-why-passages .zibaldone-remark", /cited · words \d+%/);
  await obsidian.turn.locator(".zibaldone-meter summary").click();
  await obsidian.waitFor(".zibaldone-meter", /\d+ of 8,192 tokens/);
  await obsidian.screenshot("chat-why");
  await obsidian.screenshot("chat-why-480-dark", { width: 480, theme: "dark" });
  await obsidian.screenshot("chat-why-900", { width: 900, theme: "light" });
  const written = (await obsidian.turn.locator(".zibaldone-recorded .zibaldone-place-link").innerText()) + ".md";
  expect(readFileSync(join(obsidian.room.vault, written), "utf8")).toContain("2,400");
  await use(obsidian, say("noted.undo")).click();
  await obsidian.waitFor(".zibaldone-recorded", say("answer.unrecorded").trim());
  await expect
    .poll(() => readdirSync(obsidian.room.vault, { recursive: true, encoding: "utf8" }).includes(written))
    .toBe(false);
  await obsidian.screenshot("chat-undone", { width: 300 });
});

flow("conversations are found, renamed and deleted, and are there after a restart", {}, async (obsidian) => {
  await begin(obsidian);
  await answered(obsidian, FEE);
  await obsidian.click(".zibaldone-new");
  await answered(obsidian, QUEEN);
  await obsidian.reloadWindow();
  await obsidian.enablePlugin();
  await begin(obsidian);
  // The last one is there again, with its sources and what can be taken back.
  await obsidian.waitFor(".zibaldone-turn", QUEEN);
  await obsidian.waitFor(".zibaldone-recorded");
  await obsidian.get(".zibaldone-chip").first().waitFor();
  await obsidian.click(".zibaldone-show-history");
  await obsidian.waitFor(".suggestion-item", say("history.current"));
  await obsidian.screenshot("chat-history");
  await obsidian.screenshot("chat-history-dark", { theme: "dark" });
  await obsidian.type("tallinn fee");
  await obsidian.get(".suggestion-item").nth(1).waitFor({ state: "detached" });
  await obsidian.waitFor(".suggestion-item.is-selected", FEE);
  await obsidian.press("Control+r");
  await obsidian.waitFor(".zibaldone-name");
  await obsidian.type("Money");
  await obsidian.press("Enter");
  await obsidian.get(".zibaldone-name").waitFor({ state: "detached" });
  await obsidian.waitFor(".suggestion-item.is-selected .suggestion-title", "Money");
  await obsidian.get(".prompt-input").press("Enter");
  await obsidian.waitFor(".zibaldone-turn .zibaldone-question-text", FEE);

  await obsidian.click(".zibaldone-show-history");
  await obsidian.waitFor(".suggestion-item.is-selected", QUEEN);
  await obsidian.press("Control+Backspace");
  await obsidian.waitFor(".is-selected .zibaldone-delete.mod-warning");
  await obsidian.screenshot("chat-history-delete", { theme: "light" });
  await obsidian.press("Control+Backspace");
  await obsidian.get(".suggestion-item").nth(1).waitFor({ state: "detached" });
  await obsidian.waitFor(".suggestion-item.is-selected", "Money");
  expect(await obsidian.get(".zibaldone-turn").count()).toBe(1);
});

flow(
  "what was written when everything was killed is there afterwards, marked as not finished",
  { env: { ZIBALDONE_FAKE_PAUSE_S: "1.2" } },
  async (obsidian) => {
    await begin(obsidian);
    await obsidian.ask(FEE);
    await expect
      .poll(async () => (await obsidian.waitForFirstWords()).split(" ").length, { timeout: 30_000 })
      .toBeGreaterThan(3);
    obsidian.killSidecar();
    await obsidian.reloadWindow();
    await obsidian.enablePlugin();
    await begin(obsidian);
    await obsidian.waitFor(".zibaldone-turn", FEE);
    const kept = await obsidian.waitForEnd();
    expect(kept).toContain(say("turn.stopped"));
    expect(kept).toContain("Fee");
    await obsidian.screenshot("chat-after-kill");
  },
);

flow("a question behind another one says how many are before it", { zib: SCRIPTED }, async (obsidian) => {
  const [started, ...rest] = streamOf(answer({}));
  scriptAnswer(obsidian, [{ type: "queued", ahead: 2 }, ...(started ? [started] : []), { pause_s: 600 }, ...rest]);
  await begin(obsidian);
  await obsidian.ask(FEE);
  await obsidian.waitFor(".zibaldone-busy", sayCount("turn.ahead", 2));
  await obsidian.screenshot("chat-ahead");
  await obsidian.click(".zibaldone-send.is-stop");
  expect(await obsidian.waitForEnd()).toContain(say("turn.stopped"));
});

flow("the same in German", { language: "de" }, async (obsidian) => {
  useLanguage("de");
  try {
    await begin(obsidian);
    await answered(obsidian, "Wieviel Zucker kommt in die Rote Grütze?");
    await obsidian.turn.locator(".zibaldone-why-passages summary").click();
    await obsidian.turn.locator(".zibaldone-meter summary").click();
    await obsidian.page.keyboard.press("Tab");
    await obsidian.get(".zibaldone-input").focus();
    await obsidian.screenshot("chat-de-answer");
    await obsidian.page.keyboard.type("/");
    await obsidian.waitFor(".zibaldone-suggestion", "/neu");
    await obsidian.screenshot("chat-de-slash", { theme: "dark" });
    await obsidian.press("Escape");
    await obsidian.click(".zibaldone-show-history");
    await obsidian.waitFor(".suggestion-item", "Zucker");
    await obsidian.screenshot("chat-de-history", { width: 480 });
  } finally {
    useLanguage("en");
  }
});
