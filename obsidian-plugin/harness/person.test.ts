/**
 * The memory of the person in the pane, with the default models: what is said, what is answered, and what is known afterwards.
 * The transcript is kept beside the pictures, to be read by a person. Only with ZIBALDONE_FULL=1 (`npm run test:full`).
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { DEFAULT, hasModels, type Obsidian } from "./driver";
import { flow } from "./flow";

const TRANSCRIPTS = join(import.meta.dirname, "../build/transcripts");
const TYPES = ["user", "feedback", "context"] as const;
const TASK = "Bring the smoker to the allotment";
const LATER = "Order wax for the next altarpiece";
const wanted = process.env["ZIBALDONE_FULL"] === "1";
const missing = !hasModels(DEFAULT);
if (wanted && missing)
  console.warn(`\n*** SKIPPED: the person's questions (zib models pull ${DEFAULT.chat} ${DEFAULT.embed}). ***\n`);

/** What a page of the memory lists, without the comments; empty where there is no such page. */
function known(obsidian: Obsidian, type: (typeof TYPES)[number]): string[] {
  const path = join(obsidian.room.vault, "Zibaldone/memory", `${type}.md`);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").matchAll(/^- (.*?)(?: %%.*)?$/gm);
  return [...lines].map(([, text = ""]) => text);
}

/** A conversation that is written down as it goes, each message with what the pane shows below it and what is known then. */
class Transcript {
  readonly #parts: string[] = [];

  constructor(readonly obsidian: Obsidian) {}

  /** Sends a message, and gives what is answered and what is said to be remembered. */
  async ask(message: string): Promise<string> {
    await this.obsidian.ask(message);
    await this.obsidian.waitForEnd();
    const parts = await this.obsidian.turn.locator(".zibaldone-noted, .zibaldone-text").allInnerTexts();
    const shown = parts.join("\n\n").trim();
    const pages = TYPES.map((type) => `${type}: ${known(this.obsidian, type).join(" | ") || "-"}`).join("\n");
    this.#parts.push(`## ${message}\n\n${shown}\n\nThe memory then:\n\n${pages}\n`);
    return shown;
  }

  keep(name: string): void {
    mkdirSync(TRANSCRIPTS, { recursive: true });
    writeFileSync(join(TRANSCRIPTS, `${name}.md`), `# ${DEFAULT.chat}, ${DEFAULT.embed}\n\n${this.#parts.join("\n")}`);
  }
}

/** `days` from now, as a task is dated. */
function dayFromNow(days: number): string {
  const day = new Date();
  day.setDate(day.getDate() + days);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

flow(
  "four questions of a person, and what is known afterwards",
  { models: DEFAULT, skip: !wanted || missing, minutes: 15, width: 600 },
  async (obsidian) => {
    obsidian.page.setDefaultTimeout(240_000);
    await obsidian.command("open-chat");
    await obsidian.waitForReady();
    await obsidian.saveNote(
      "Projects/Apiary week.md",
      `# Apiary week\n\n- [ ] ${TASK} 📅 ${dayFromNow(1)}\n- [ ] ${LATER} 📅 ${dayFromNow(30)}\n`,
    );
    await obsidian.waitForIndexed("Projects/Apiary week.md");
    const transcript = new Transcript(obsidian);
    try {
      await transcript.ask("I'm 35 and I live in Bremen.");
      await transcript.ask("My daughter Mira plays the cello.");

      const told = await transcript.ask("what do you know about me?");
      expect(told).toContain("35");
      expect(told).toContain("Bremen");
      expect(told).toContain("Mira plays the cello");
      await obsidian.screenshot("person-known");

      await transcript.ask("answer shorter from now on");
      expect(known(obsidian, "feedback")).toEqual(["answer shorter from now on"]);
      await obsidian.screenshot("person-shorter");

      await transcript.ask("I'm 36, not 35");
      const facts = known(obsidian, "user").join("\n");
      expect(facts).toContain("36");
      expect(facts).not.toContain("35");
      expect(facts).toContain("Bremen"); // it was said in one breath with the age, and has not changed
      expect(facts).toContain("Mira plays the cello");
      await obsidian.screenshot("person-corrected");

      const week = await transcript.ask("was steht diese Woche an?");
      expect(week).toContain(TASK);
      expect(week).not.toContain(LATER);
      expect(week).toContain("Überfällig"); // in the language of the question
      await obsidian.screenshot("person-week");

      const now = await transcript.ask("what do you know about me?");
      expect(now).toContain("36");
      expect(now).not.toContain("35");
      expect(now).toContain("answer shorter from now on");
      await obsidian.screenshot("person-known-then");
      await obsidian.command("show-memory");
      await obsidian.waitFor(".zibaldone-dialog .zibaldone-entry, .zibaldone-view .zibaldone-entry", "36");
      await obsidian.screenshot("person-memory");
    } finally {
      transcript.keep("person");
    }
    expect(known(obsidian, "context")).toEqual([]);
  },
);
