/**
 * Changes that are approved while somebody types in the same note: nothing of what they type is lost, no cursor jumps. Minutes
 * long, so only with ZIBALDONE_FULL=1 (`npm run test:full`).
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Obsidian } from "./driver";
import { say } from "../src/words";
import { flow } from "./flow";

const APPLIES = 300;
/** 200 words of five letters a minute, with a space behind each. */
const KEY_MS = 50;
const MINUTES = 12;
const OPTIONS = { minutes: MINUTES, skip: process.env["ZIBALDONE_FULL"] !== "1" };
/** Applies that land before the writer goes on. */
const A_PAUSE = 25;

/** Each line names a note that it does not link to: one proposal with as many hunks. */
async function propose(obsidian: Obsidian): Promise<void> {
  const names = Array.from(
    { length: APPLIES },
    (_, n) => `Thing${String.fromCharCode(97 + (n % 26))}x${"q".repeat(1 + ((n / 26) | 0))}`,
  );
  const body = names.map((name, n) => `Line ${n} is about ${name} and no other.\n\nPause ${n}.`).join("\n\n");
  mkdirSync(join(obsidian.room.vault, "Things"));
  for (const name of names)
    writeFileSync(join(obsidian.room.vault, "Things", `${name}.md`), `# ${name}\n\nOne of many, ${name}.\n`);
  writeFileSync(join(obsidian.room.vault, "Long.md"), `# Long\n\nHere: \n\n${body}\n`);

  await obsidian.waitFor(".zibaldone-status-bar", /^342 /);
  await obsidian.page.waitForFunction(() => window.harness.app.vault.getFileByPath("Long.md") !== null);
  await obsidian.openNote("Long.md");
  await obsidian.command("suggest-links");
  await obsidian.waitFor(".zibaldone-hunk");
}

flow(`${APPLIES} applies to a note that is being typed in`, OPTIONS, async (obsidian) => {
  await obsidian.waitForReady();
  await propose(obsidian);
  await obsidian.page.evaluate(() => {
    for (const more of document.querySelectorAll<HTMLElement>(".zibaldone-proposal > .zibaldone-small")) more.click();
  });
  await expect.poll(() => obsidian.get(".zibaldone-hunk").count()).toBe(APPLIES);
  // The cursor stands behind "Here: ", above every change, and then among them.
  const put = (line: number, ch: number) =>
    obsidian.page.evaluate(
      ([toLine, toCh]) => {
        const editor = window.harness.app.workspace.getLeavesOfType("markdown")[0]?.view as unknown as {
          editor: { setCursor(at: { line: number; ch: number }): void; focus(): void };
        };
        editor.editor.setCursor({ line: Number(toLine), ch: Number(toCh) });
        editor.editor.focus();
      },
      [line, ch],
    );
  await put(2, 6);
  // Approved all at once, by the mouse of a second hand: the focus stays in the note.
  await obsidian.page.evaluate(() => {
    for (const button of document.querySelectorAll<HTMLElement>(".zibaldone-hunk .mod-cta")) button.click();
  });
  let typed = "";
  // Each is told by a notice; the pane draws the first hundred that are left.
  const left = () =>
    obsidian.page.evaluate(
      ([all, words]) => all - window.harness.notices.filter((notice) => notice.includes(words)).length,
      [APPLIES, say("proposals.applied")] as const,
    );
  const pauseUntil = async (few: number): Promise<void> => {
    await expect.poll(left, { timeout: 120_000, interval: 100 }).toBeLessThanOrEqual(few);
  };
  for (let burst = 0; burst < 200 && (await left()) > 0; burst++) {
    for (const key of `word${String.fromCharCode(97 + (burst % 26))} `) {
      await obsidian.page.keyboard.type(key, { delay: KEY_MS });
      typed += key;
    }
    // A writer pauses to think, now and then.
    if (burst % 4 === 3) await pauseUntil(Math.max(0, (await left()) - A_PAUSE));
  }
  expect(await left()).toBe(0);
  const text = await obsidian.page.evaluate(() =>
    (
      window.harness.app.workspace.getLeavesOfType("markdown")[0]?.view as unknown as { editor: { getValue(): string } }
    ).editor.getValue(),
  );
  expect(text.split("\n")[2]).toBe(`Here: ${typed}`.trimEnd() + (typed.endsWith(" ") ? " " : ""));
  expect(text.match(/\[\[Thing/g)).toHaveLength(APPLIES);
  const cursor = await obsidian.page.evaluate(() =>
    (
      window.harness.app.workspace.getLeavesOfType("markdown")[0]?.view as unknown as {
        editor: { getCursor(): { line: number; ch: number } };
      }
    ).editor.getCursor(),
  );
  expect(cursor).toEqual({ line: 2, ch: 6 + typed.length });
  await expect.poll(() => readFileSync(join(obsidian.room.vault, "Long.md"), "utf8")).toBe(text);
});
