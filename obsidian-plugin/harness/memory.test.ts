/** What is remembered about the person: said in the chat, used in answers, listed, forgotten; and what is due. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { say } from "../src/words";
import type { Obsidian } from "./driver";
import { flow } from "./flow";

const KEY = "! The key of the greenhouse hangs behind the hive scale.";

/** Says it, and gives what that turn shows in the end. */
async function tell(obsidian: Obsidian, message: string): Promise<string> {
  await obsidian.ask(message);
  return await obsidian.waitForEnd();
}

function page(obsidian: Obsidian, type: string): string {
  return readFileSync(join(obsidian.room.vault, "Zibaldone/memory", `${type}.md`), "utf8");
}

flow(
  "what a ! line says is remembered in place of what it corrects, and undo brings that back",
  {},
  async (obsidian) => {
    await obsidian.command("open-chat");
    await obsidian.waitForReady();
    expect(await tell(obsidian, "! I'm 35")).toContain("Remembered: I'm 35");
    const corrected = await tell(obsidian, "! I'm 36, not 35");
    expect(corrected).toContain("Remembered: I'm 36 (instead of: I'm 35)");
    // As it was typed, and told once.
    expect(await obsidian.turn.locator(".zibaldone-question-text").innerText()).toBe("! I'm 36, not 35");
    expect(corrected.split("I'm 36 ")).toHaveLength(2);
    expect(page(obsidian, "user")).toMatch(/^- I'm 36 %%/m);
    await obsidian.screenshot("memory-noted");
    await obsidian.screenshot("memory-noted-dark", { theme: "dark" });

    // By the keyboard alone: the type is chosen, then all of it is taken back.
    const focusOn = async (name: string) => await obsidian.turn.getByRole("button", { name, exact: true }).focus();
    await focusOn(say("noted.type.context"));
    await obsidian.press("Enter");
    await obsidian.turn.locator(".zibaldone-noted [aria-pressed]").first().waitFor({ state: "detached" });
    // What was worked on keeps the focus.
    expect(await obsidian.page.evaluate(() => document.activeElement?.className)).toContain("zibaldone-noted");
    expect(page(obsidian, "context")).toContain("I'm 36");
    await focusOn(say("noted.undo"));
    await obsidian.press("Enter");
    await obsidian.waitFor(".zibaldone-noted", "Taken back: I'm 36 (again: I'm 35)");
    expect(page(obsidian, "user")).toMatch(/^- I'm 35 %%/m);
    expect(page(obsidian, "user")).not.toContain("I'm 36");
    await obsidian.screenshot("memory-undone", { theme: "light" });
  },
);

flow("an undo over a line that was edited since is refused, and says why", {}, async (obsidian) => {
  await obsidian.command("open-chat");
  await obsidian.waitForReady();
  await tell(obsidian, KEY);
  await obsidian.saveNote("Zibaldone/memory/user.md", page(obsidian, "user").replace("hive scale", "barn door"));
  await obsidian.turn.getByRole("button", { name: say("noted.undo"), exact: true }).click();
  await obsidian.waitFor(".zibaldone-noted [role=alert]");
  expect(page(obsidian, "user")).toContain("barn door");
  await obsidian.screenshot("memory-undo-refused");
});

flow("an answer from the memory leads to its line, and says which entries it was told", {}, async (obsidian) => {
  await obsidian.command("open-chat");
  await obsidian.waitForReady();
  await tell(obsidian, KEY);
  const answer = await tell(obsidian, "Where does the key of the greenhouse hang?");
  expect(answer).toContain("behind the hive scale");
  await obsidian.turn.locator(".zibaldone-used summary").click();
  await obsidian.waitFor(".zibaldone-used .zibaldone-entry", "said by you");
  await obsidian.screenshot("memory-used");
  await obsidian.screenshot("memory-used-dark", { theme: "dark", width: 600 });
  await obsidian.turn.locator(".zibaldone-chip").first().click();
  expect(await (await obsidian.waitFor(".cm-line.is-flashing")).innerText()).toContain("behind the hive scale");

  // The line may move: the entry is found by its id.
  await obsidian.saveNote(
    "Zibaldone/memory/user.md",
    page(obsidian, "user").replace("# About you", "# About you\n\nMine:\n"),
  );
  await obsidian.page.mouse.move(0, 0);
  await obsidian.get(".hover-popover").waitFor({ state: "detached" });
  await obsidian.turn.locator(".zibaldone-used .zibaldone-place-link").click();
  await obsidian.waitFor(".cm-line.is-flashing", "behind the hive scale");

  const known = await tell(obsidian, "What do you know about me?");
  expect(known).toContain("The key of the greenhouse hangs behind the hive scale");
  expect(await obsidian.turn.locator(".zibaldone-noted").count()).toBe(0);
  await obsidian.screenshot("memory-known", { theme: "light", width: 300 });
});

flow("the pane lists what is remembered, finds it, pins it and forgets it", {}, async (obsidian) => {
  await obsidian.command("open-chat");
  await obsidian.waitForReady();
  await obsidian.command("show-memory");
  await obsidian.waitFor(".zibaldone-empty", say("memory.nothing"));
  await obsidian.command("open-chat");
  await tell(obsidian, KEY);
  await tell(obsidian, "! Finishing the altarpiece this month");
  const context = obsidian.turn.getByRole("button", { name: say("noted.type.context"), exact: true });
  await context.click();
  await context.waitFor({ state: "detached" });

  await obsidian.command("show-memory");
  await obsidian.waitFor(".zibaldone-view section", say("memory.type.context"));
  await obsidian.screenshot("memory-dialog");
  await obsidian.screenshot("memory-dialog-dark", { theme: "dark" });
  await obsidian.type("ALTARPIECE");
  await obsidian.get(".zibaldone-entry").filter({ hasText: "hive scale" }).waitFor({ state: "hidden" });
  await obsidian
    .get(".zibaldone-view")
    .getByRole("button", { name: say("memory.pin"), exact: true })
    .click();
  await obsidian.waitFor(".zibaldone-view .zibaldone-entry", say("memory.pinned"));
  expect(page(obsidian, "context")).toContain("pinned");

  const entry = obsidian.get(".zibaldone-entry").filter({ hasText: "altarpiece" });
  await entry.getByRole("button", { name: say("memory.forget"), exact: true }).click();
  await obsidian.waitFor(".zibaldone-entry", say("memory.forgetting"));
  await obsidian.screenshot("memory-forget", { theme: "light" });
  await obsidian.get(".zibaldone-entry .mod-warning").click();
  await obsidian.waitFor(".zibaldone-entry", say("memory.forgotten"));
  await obsidian.waitFor(".zibaldone-entry", "in the commits");
  await obsidian.screenshot("memory-forgotten");
  expect(page(obsidian, "context")).not.toContain("altarpiece");
  await obsidian.command("open-chat");
  // Nor does the undo that the pane still offers bring it back.
  await obsidian.turn.getByRole("button", { name: say("noted.undo"), exact: true }).click();
  await obsidian.waitFor(".zibaldone-noted [role=alert]");
  expect(page(obsidian, "context")).not.toContain("altarpiece");
  expect(page(obsidian, "user")).not.toContain("altarpiece");

  await obsidian.command("open-memory-page");
  await obsidian.waitFor(".mod-root .workspace-tab-header.is-active", "user");
});

flow("the agenda shows what is to come and what is late, each leading to its line", {}, async (obsidian) => {
  await obsidian.waitForReady();
  // Three days ahead of the sidecar's clock or, around midnight, two: among the seven in any case.
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const task = "Collect the limewood from the sawmill";
  await obsidian.saveNote("Projects/Sawmill.md", `# Sawmill\n\n- [ ] ${task} 📅 ${day}\n`);
  await obsidian.waitForIndexed("Projects/Sawmill.md");
  await obsidian.command("show-agenda");
  await obsidian.waitFor(".zibaldone-dialog a", task);
  await obsidian.waitFor(".zibaldone-dialog h3", say("agenda.overdue"));
  await obsidian.screenshot("agenda");
  await obsidian.screenshot("agenda-dark", { theme: "dark" });
  await obsidian.get(".zibaldone-dialog a").filter({ hasText: task }).focus();
  await obsidian.press("Enter");
  await obsidian.waitFor(".cm-line.is-flashing", "limewood");
  expect(await obsidian.get(".modal").count()).toBe(0);
});
