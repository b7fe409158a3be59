/** The main flow with a real model, the smallest there is. What it says is not judged here; that it says it, is. */
import { expect } from "vitest";
import { say } from "../src/words";
import { hasModels, SMALL } from "./driver";
import { flow } from "./flow";

const missing = !hasModels(SMALL);
if (missing)
  console.warn(`\n*** SKIPPED: the flow with a real model (zib models pull ${SMALL.chat} ${SMALL.embed}). ***\n`);

flow(
  "a real model answers, is stopped, and answers again",
  { models: SMALL, skip: missing, minutes: 5 },
  async (obsidian) => {
    obsidian.page.setDefaultTimeout(120_000);
    await obsidian.command("open-chat");
    await obsidian.waitForReady();
    await obsidian.ask("What am I paid for the Tallinn workshop?");
    const whole = await obsidian.waitForEnd();
    // Exactly one end: an answer with its sources, or the reason why there is none with the closest passages.
    const [answers, abstentions] = [".zibaldone-chip", ".zibaldone-abstention"].map((part) =>
      obsidian.turn.locator(part),
    );
    expect(((await answers?.count()) ?? 0) > 0 !== ((await abstentions?.count()) ?? 0) > 0).toBe(true);
    expect(whole).toContain("Tallinn Workshop");
    await obsidian.screenshot("model-answered");

    await obsidian.ask("Tell me everything about the bees.");
    await obsidian.click(".zibaldone-send.is-stop");
    expect(await obsidian.waitForEnd()).toContain(say("turn.stopped"));
    await obsidian.command("show-status");
    await expect
      .poll(
        async () => {
          await obsidian.click(".zibaldone-refresh");
          return await obsidian.get(".modal").textContent();
        },
        { timeout: 60_000 },
      )
      .toMatch(/smollm2-135m: (Ready|Not loaded)/);
    await obsidian.press("Escape");
    await obsidian.ask("What is the colour of the queens of 2026?");
    await obsidian.waitForEnd();
    await obsidian.screenshot("model-after-stop");
  },
);
