/** How long the start takes, in a small vault and in one of 20,000 notes. Times are measured, so only with ZIBALDONE_FULL=1. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Obsidian } from "./driver";
import { say } from "../src/words";
import { flow } from "./flow";
import { SCRIPTED } from "./scripted";

const OPTIONS = { zib: SCRIPTED, minutes: 10, skip: process.env["ZIBALDONE_FULL"] !== "1" };
/** Milliseconds that Obsidian's window may be held up. */
const MOST_MS = 50;
const [FOLDERS, NOTES] = [200, 100] as const;
const STARTS = 10;

interface Event {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds of the processor, so that what else runs on the machine does not count. */
  tdur?: number;
}

/** Milliseconds of the longest task of the window's thread while `run` does something. */
async function longestTask({ browser, page }: Obsidian, run: () => Promise<unknown>): Promise<number> {
  await browser.startTracing(page, { categories: ["toplevel", "blink.user_timing"] });
  await page.evaluate(() => performance.mark("window-thread"));
  await run();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: Event[] };
  const mark = traceEvents.find(({ name }) => name === "window-thread");
  const tasks = traceEvents.filter(
    ({ pid, tid, name }) => pid === mark?.pid && tid === mark.tid && name.endsWith("RunTask"),
  );
  expect(tasks.length).toBeGreaterThan(0);
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}

/** Of evaluating the module and `onload`. */
async function loadMs({ page }: Obsidian): Promise<number> {
  return await page.evaluate(() => performance.getEntriesByName("plugin-load").at(-1)?.duration ?? Infinity);
}

flow("the plugin is loaded in a moment", { ...OPTIONS, enabled: false }, async (obsidian) => {
  const times: number[] = [];
  for (let at = 0; at < STARTS; at++) {
    await obsidian.enablePlugin();
    times.push(await loadMs(obsidian));
    await obsidian.disablePlugin();
  }
  console.warn(`module and onload, ms: ${times.map((ms) => ms.toFixed(1)).join(" ")}`);
  expect(times.sort((a, b) => a - b)[STARTS / 2]).toBeLessThanOrEqual(MOST_MS);
});

flow("20,000 notes hold up neither start, hints nor settings", { ...OPTIONS, enabled: false }, async (obsidian) => {
  for (let folder = 0; folder < FOLDERS; folder++) {
    const path = join(obsidian.room.vault, `Archive ${folder}`);
    mkdirSync(path);
    for (let note = 0; note < NOTES; note++)
      writeFileSync(join(path, `Note ${folder}-${note}.md`), `# Note ${note}\n\nWords of note ${note}.\n`);
  }
  obsidian.page.setDefaultTimeout(300_000);
  await obsidian.reloadWindow();
  await obsidian.forgetFirstRun();
  const tasks = {
    start: await longestTask(obsidian, async () => {
      await obsidian.enablePlugin();
      await obsidian.waitForReady();
    }),
    hints: await longestTask(obsidian, async () => {
      for (let note = 0; note < 20; note++) await obsidian.saveNote(`Archive 0/Note 0-${note}.md`, "# Changed\n");
      await obsidian.command("show-status");
      await obsidian.waitFor(".zibaldone-status-row");
      await obsidian.press("Escape");
    }),
    settings: await longestTask(obsidian, async () => {
      await obsidian.openSettings();
      await obsidian
        .get(".setting-item")
        .filter({ hasText: say("settings.reported") })
        .waitFor();
    }),
  };
  const shown = Object.entries(tasks).map(([name, ms]) => `${name} ${ms.toFixed(0)} ms`);
  console.warn(
    `longest task with ${FOLDERS * NOTES} notes: ${shown.join(", ")}; load ${(await loadMs(obsidian)).toFixed(0)} ms`,
  );
  for (const [name, ms] of Object.entries(tasks)) expect(ms, name).toBeLessThanOrEqual(MOST_MS);
});
