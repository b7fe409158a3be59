/** Opens the page on a room and drives it as a person would: keys, clicks, and waiting until something is to be seen. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from "playwright-core";
import { pageFiles } from "./bridge/bundle";
import { FAKE, findZib, makeRoom, type Models, processesIn, removeRoom, type Room, type Zib } from "./bridge/room";
import { Bridge, PAGE } from "./bridge/server";

export { DEFAULT, FAKE, findZib, hasModels, type Models, SMALL } from "./bridge/room";

export interface Look {
  /** Of the right sidebar, in pixels. */
  width?: number;
  theme?: "light" | "dark";
}

export interface Options extends Look {
  language?: "en" | "de";
  models?: Models;
  /** What is found as `zib`; by default the project's own. */
  zib?: Zib;
  /** For the sidecar, over what the room sets. */
  env?: Record<string, string>;
  /** As on the first day, when the first steps open by themselves. */
  firstRun?: boolean;
  /** Load the plugin, as Obsidian does at its start. */
  enabled?: boolean;
}

const SCREENSHOTS = join(import.meta.dirname, "../build/screenshots");
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

export function findChromium(): string | null {
  const chosen = process.env["ZIBALDONE_CHROMIUM"];
  if (chosen !== undefined) return existsSync(chosen) ? chosen : null;
  if (existsSync("/usr/bin/chromium")) return "/usr/bin/chromium";
  try {
    return execFileSync("which", ["chromium"], { encoding: "utf8" }).trim();
  } catch {
    return null;
  }
}

/** Why the flows cannot be run here, or null. Said aloud, so that nobody takes skipped tests for passed ones. */
export function reasonToSkip(): string | null {
  const reason = !findChromium()
    ? "there is no Chromium (set ZIBALDONE_CHROMIUM, or install `chromium`)"
    : !findZib()
      ? "there is no zib (set ZIBALDONE_ZIB, or run scripts/setup)"
      : null;
  if (reason) console.warn(`\n*** The browser tests are SKIPPED: ${reason}. ***\n`);
  return reason;
}

export async function open(options: Options = {}): Promise<Obsidian> {
  const { zib = findZib(), models = FAKE, env = {}, language = "en", enabled = true, firstRun, ...look } = options;
  const room = makeRoom({ zib, models, env });
  const bridge = await Bridge.open(room, await pageFiles());
  const browser = await chromium.launch({
    executablePath: findChromium() ?? "",
    args: [...ARGUMENTS, `--proxy-server=${bridge.proxy}`, "--proxy-bypass-list=<-loopback>"],
  });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const obsidian = new Obsidian(room, bridge, browser, context, await context.newPage(), language);
  try {
    await obsidian.reloadWindow(look);
    if (!firstRun) await obsidian.forgetFirstRun();
    if (enabled) await obsidian.enablePlugin();
    return obsidian;
  } catch (error) {
    await obsidian.close();
    throw error;
  }
}

export class Obsidian {
  constructor(
    readonly room: Room,
    readonly bridge: Bridge,
    readonly browser: Browser,
    readonly context: BrowserContext,
    readonly page: Page,
    readonly language: string,
  ) {
    // A test should fail with what was waited for, not with the time that all of it took.
    page.setDefaultTimeout(30_000);
  }

  #closed: Promise<{ killed: number; left: number[] }> | undefined;

  /** Ends everything, and returns what should not have been there: processes that had to be killed or are left. */
  close(): Promise<{ killed: number; left: number[] }> {
    this.#closed ??= (async () => {
      await this.browser.close();
      const { killed } = await this.bridge.close();
      const left = processesIn(this.room);
      removeRoom(this.room);
      return { killed, left };
    })();
    return this.#closed;
  }

  async describeFailure(name: string): Promise<string> {
    const picture = await this.screenshot(`failed-${name.replaceAll(/\W+/g, "-")}`);
    const { notices, errors } = await this.page.evaluate(() => window.harness);
    return `See ${picture}. Notices: ${notices.join(" | ")}. Errors: ${errors.join(" | ")}.`;
  }

  // The window and the plugin

  /** As Obsidian's "Reload app without saving": the page goes, and with it whatever ran in it. */
  async reloadWindow(look: Look = {}): Promise<void> {
    const { theme = "light", width = 300 } = look;
    await this.page.goto(`${PAGE}/?language=${this.language}&theme=${theme}`);
    await this.page.evaluate(async (size) => {
      await window.harness.ready;
      window.harness.show({ width: size });
    }, width);
  }

  /** Whoever has been here before has seen the first steps. */
  async forgetFirstRun(): Promise<void> {
    await this.page.evaluate(() => {
      const known = { version: 1, zibPath: "", startAutomatically: true, indexPaused: false, firstRunDone: true };
      window.harness.app.saveLocalStorage("zibaldone-device", known);
    });
  }

  async enablePlugin(): Promise<void> {
    await this.page.evaluate(async () => await window.harness.loadPlugin());
  }

  async disablePlugin(): Promise<void> {
    await this.page.evaluate(() => window.harness.unloadPlugin());
  }

  /** Runs one of the plugin's commands; false where the palette would not offer it. */
  async command(id: string): Promise<boolean> {
    return await this.page.evaluate((name) => window.harness.app.commands.executeCommandById(`zibaldone:${name}`), id);
  }

  async counts() {
    return await this.page.evaluate(() => window.harness.counts());
  }

  // What is to be seen

  get(selector: string): Locator {
    return this.page.locator(selector);
  }

  async waitFor(selector: string, text?: string | RegExp): Promise<Locator> {
    const found = text === undefined ? this.get(selector) : this.get(selector).filter({ hasText: text });
    await found.first().waitFor();
    return found.first();
  }

  async click(selector: string): Promise<void> {
    await this.get(selector).first().click();
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.insertText(text);
  }

  // The chat

  /** Until the question is drawn, so that what is read next is not the turn before it. */
  async ask(question: string, page = this.page): Promise<void> {
    const input = page.locator(".zibaldone-input");
    await input.fill(question);
    await input.press("Enter"); // a link that was followed before may only now take the focus
    await page.locator(".zibaldone-turn:last-child .zibaldone-question").filter({ hasText: question }).waitFor();
  }

  /** The last question and its answer. */
  get turn(): Locator {
    return this.get(".zibaldone-turn").last();
  }

  /** Until something of the answer is to be read while the rest is still being written. */
  async waitForFirstWords(): Promise<string> {
    const shown = await this.page.waitForFunction(
      () => document.querySelector(".zibaldone-turn.is-running:last-child .zibaldone-text")?.textContent,
    );
    return (await shown.jsonValue()) ?? "";
  }

  /** Until the last turn is over; its text, with what stands below the answer. */
  async waitForEnd(page = this.page): Promise<string> {
    const over = page.locator(".zibaldone-turn:last-child:not(.is-running):has(.zibaldone-ending)");
    await over.waitFor();
    return await over.innerText();
  }

  /** Until the sidecar runs and all notes are indexed: the status bar says their number. */
  async waitForReady(): Promise<void> {
    await this.waitFor(".zibaldone-status-bar", /^\d+ (?!of|von)/);
  }

  async notices(): Promise<string[]> {
    return await this.page.evaluate(() => window.harness.notices);
  }

  async waitForNotice(text: string): Promise<string> {
    const told = await this.page.waitForFunction(
      (part) => window.harness.notices.find((notice) => notice.includes(part)),
      text,
    );
    return (await told.jsonValue()) ?? "";
  }

  // The vault, as a person works in it

  async openNote(path: string, line?: number): Promise<void> {
    await this.page.evaluate(
      async ([to, at]) => {
        const eState = at === undefined ? {} : { eState: { line: Number(at) } };
        await window.harness.app.workspace.openLinkText(String(to), "", false, eState);
      },
      [path, line],
    );
  }

  async saveNote(path: string, text: string): Promise<void> {
    await this.page.evaluate(
      async ([to = "", content = ""]) => {
        const { vault } = window.harness.app;
        const file = vault.getFileByPath(to);
        await (file ? vault.modify(file, content) : vault.create(to, content));
      },
      [path, text],
    );
  }

  async renameNote(from: string, to: string): Promise<void> {
    await this.page.evaluate(
      async ([path = "", target = ""]) => {
        const { vault, fileManager } = window.harness.app;
        const file = vault.getFileByPath(path);
        if (file) await fileManager.renameFile(file, target);
      },
      [from, to],
    );
  }

  async deleteNote(path: string): Promise<void> {
    await this.page.evaluate(async (gone) => {
      const { vault, fileManager } = window.harness.app;
      const file = vault.getFileByPath(gone);
      if (file) await fileManager.trashFile(file);
    }, path);
  }

  async openSettings(): Promise<void> {
    // What it returns would be sent over here: the tab, and with it the whole vault.
    await this.page.evaluate(() => void window.harness.app.setting.openTabById("zibaldone"));
  }

  // The sidecar

  /** Until the search finds the note, or no longer finds it. */
  async waitForIndexed(path: string, there = true): Promise<void> {
    const name = path.split("/").at(-1)?.replace(/\.md$/, "") ?? "";
    await this.command("search");
    const found = this.get(".suggestion-title").filter({ hasText: name });
    do {
      await this.get(".prompt-input").fill("");
      await this.get(".suggestion-empty").waitFor();
      await this.get(".prompt-input").fill(name);
      await this.get(".suggestion-item").first().waitFor();
    } while ((await found.count()) > 0 !== there);
    await this.press("Escape");
  }

  /** Of the `zib serve` that the plugin has running, or undefined. */
  sidecarPid(): number | undefined {
    return this.bridge.processes.pids.at(-1);
  }

  /** As a crash: no goodbye. */
  killSidecar(): void {
    if (!this.bridge.processes.kill()) throw new Error("There is no sidecar to kill.");
  }

  /** Every process that this run has caused and that still lives. */
  processes(): number[] {
    return processesIn(this.room);
  }

  // Pictures

  async show(look: Look): Promise<void> {
    await this.page.evaluate((asked) => window.harness.show(asked), look);
  }

  /** Writes `build/screenshots/NAME.png`, and returns where. */
  async screenshot(name: string, look: Look = {}): Promise<string> {
    mkdirSync(SCREENSHOTS, { recursive: true });
    await this.show(look);
    const path = join(SCREENSHOTS, `${name}.png`);
    await this.page.screenshot({ path, animations: "disabled", caret: "hide" });
    return path;
  }
}
