/**
 * Long conversations and long answers: a frame costs the same at the end as at the beginning. Times are measured, and minutes
 * pass, so only with ZIBALDONE_FULL=1 (`npm run test:full`).
 */
import { expect } from "vitest";
import type { Obsidian } from "./driver";
import { flow } from "./flow";
import { answer, SCRIPTED, scriptAnswer, scriptConversation, streamOf } from "./scripted";

const TOKENS = 8_000;
const TURNS = 200;
/** A script says so many words a second, about ten times what a small model does on two cores. */
const PAUSE_S = 0.004;
const OPTIONS = { zib: SCRIPTED, minutes: 4, skip: process.env["ZIBALDONE_FULL"] !== "1" };

interface Event {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds; `tdur` is of the processor, so that what else runs on the machine does not count. */
  ts: number;
  dur?: number;
  tdur?: number;
}

interface Measured {
  /** Milliseconds of the window's thread for each frame that the pane drew, by tenths of the stream. */
  tenths: number[];
  /** Milliseconds of its longest task. */
  longest: number;
  frames: number;
}

const FRAME = "pane-frame";

/** Marks each frame that the plugin draws: those of an answer that is being written apart from the others. */
async function markFrames({ page }: Obsidian): Promise<void> {
  await page.evaluate((name) => {
    const draw = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (callback) =>
      draw((at) => {
        performance.mark(document.querySelector(".zibaldone-chat.is-running") ? `${name}-writing` : name);
        callback(at);
      });
  }, FRAME);
}

async function measure(obsidian: Obsidian, what: string, run: () => Promise<unknown>): Promise<Measured> {
  await obsidian.browser.startTracing(obsidian.page, { categories: ["toplevel", "blink.user_timing"] });
  await run();
  const trace = JSON.parse((await obsidian.browser.stopTracing()).toString()) as { traceEvents: Event[] };
  const measured = read(trace.traceEvents);
  const { tenths, frames, longest } = measured;
  const shown = tenths.map((ms) => ms.toFixed(1)).join(" ");
  console.warn(`${what}: ${frames} frames, ms each by tenths: ${shown}; longest task ${longest.toFixed(0)} ms`);
  return measured;
}

function read(events: readonly Event[]): Measured {
  const drawn = events.filter(({ name, ph }) => name.startsWith(FRAME) && ph !== "E").sort((a, b) => a.ts - b.ts);
  const writing = drawn.filter(({ name }) => name !== FRAME);
  const marks = writing.length > 0 ? writing : drawn;
  const { pid, tid } = marks[0] ?? { pid: 0, tid: 0 };
  const [first = 0, last = 0] = [marks[0]?.ts, marks.at(-1)?.ts];
  const tasks = events.filter(
    (event) => event.pid === pid && event.tid === tid && event.tdur !== undefined && event.name.endsWith("RunTask"),
  );
  // In the last one the checked answer takes the place of what was written.
  const streaming = tasks.filter(({ ts, dur = 0 }) => ts >= first && ts + dur <= last);
  const size = Math.floor(marks.length / 10);
  const tenths = Array.from({ length: 10 }, (_, at) => {
    const [from = 0, to = 0] = [marks[at * size]?.ts, marks[(at + 1) * size - 1]?.ts];
    const within = streaming.filter(({ ts }) => ts >= from && ts <= to);
    return within.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000 / size;
  });
  const longest = Math.max(0, ...streaming.map(({ tdur = 0 }) => tdur)) / 1000;
  return { tenths, longest, frames: marks.length };
}

function growth({ tenths }: Measured): number {
  return (tenths[9] ?? 0) / (tenths[0] ?? 1);
}

/** Some 8,000 tokens: `kind` is how they are laid out. */
function words(kind: "paragraphs" | "list" | "one paragraph"): string[] {
  return Array.from({ length: TOKENS }, (_, at) => {
    const word = at % 7 === 3 ? " **emphasis**" : ` word${at % 97}`;
    if (kind === "one paragraph" || at % 40 !== 39) return word;
    return kind === "list" ? `${word}\n- Item [1]` : `${word} [1].\n\n`;
  });
}

/** Until the last word is there; what is put in its place then is no streaming any more. */
async function streamed({ page }: Obsidian): Promise<void> {
  await page.locator(".zibaldone-turn:last-child:not(.is-running)").waitFor({ timeout: 200_000 });
}

for (const kind of ["paragraphs", "list", "one paragraph"] as const)
  flow(`an answer of 8,000 tokens costs no more a frame at its end: ${kind}`, OPTIONS, async (obsidian) => {
    const said = words(kind);
    scriptAnswer(obsidian, streamOf(answer({ answer: said.join("").trim() }), said, PAUSE_S));
    await obsidian.command("open-chat");
    await obsidian.waitForReady();
    await markFrames(obsidian);
    const measured = await measure(obsidian, kind, async () => {
      await obsidian.ask("Everything?");
      await streamed(obsidian);
    });
    await obsidian.waitForEnd();
    expect(growth(measured)).toBeLessThanOrEqual(1.5);
    expect(measured.longest).toBeLessThanOrEqual(50);
  });

flow(
  "a conversation of 200 turns opens a few at a time, and goes on as a short one does",
  OPTIONS,
  async (obsidian) => {
    const paragraph = "What the notes say about it, in **several** words and with a source [1].\n\n";
    const turns = Array.from(
      { length: TURNS },
      (_, at) => [`Question ${at}?`, answer({ answer: paragraph.repeat(4) })] as const,
    );
    scriptConversation(obsidian, turns);
    const said = words("paragraphs").slice(0, 1_000);
    scriptAnswer(obsidian, streamOf(answer({ answer: said.join("").trim() }), said, PAUSE_S));
    await obsidian.command("open-chat");
    await obsidian.waitForReady();
    await markFrames(obsidian);
    const alone = await measure(obsidian, "one turn", async () => {
      await obsidian.ask("Alone?");
      await streamed(obsidian);
    });
    await obsidian.click(".notice");
    await obsidian.click(".zibaldone-show-history");
    await obsidian.waitFor(".suggestion-item.is-selected");
    const opening = await measure(obsidian, "opening 200 turns", async () => {
      await obsidian.press("Enter");
      await obsidian.page.waitForFunction(
        (count) => document.querySelectorAll(".zibaldone-turn").length === count,
        TURNS,
      );
    });
    await obsidian.screenshot("long-opened");
    const among = await measure(obsidian, "the 201st turn", async () => {
      await obsidian.ask("Among many?");
      await streamed(obsidian);
    });
    expect(opening.longest).toBeLessThanOrEqual(50);
    expect(among.longest).toBeLessThanOrEqual(50);
    expect(mean(among) / mean(alone)).toBeLessThanOrEqual(1.5);
  },
);

function mean({ tenths }: Measured): number {
  return tenths.reduce((sum, ms) => sum + ms, 0) / tenths.length;
}
