/** Without a sidecar, with a wrong one, with one that dies, and through fifty reloads. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "vitest";
import { type Key, say } from "../src/words";
import { findZib, type Obsidian } from "./driver";
import { DEFAULT } from "./bridge/room";
import { flow } from "./flow";

const SLOW = { ZIBALDONE_FAKE_PAUSE_S: "2" };
const FEE = "What am I paid for the Tallinn workshop?";

/** What a hint tells the person to type. */
function commandIn(hint: Key): string {
  return /`([^`]+)`/.exec(say(hint))?.[1] ?? "a command";
}

/** The panel that stands in the place of a sidecar. */
async function panel(obsidian: Obsidian, state: string, text: string | RegExp): Promise<string> {
  await obsidian.command("open-chat");
  return await (await obsidian.waitFor(`.zibaldone-state[data-state=${state}]`, text)).innerText();
}

flow(
  "a sidecar that is killed in the middle of an answer",
  { env: { ZIBALDONE_FAKE_PAUSE_S: "0.2" } },
  async (obsidian) => {
    await obsidian.command("open-chat");
    await obsidian.waitForReady();
    await obsidian.ask(FEE);
    const first = await obsidian.waitForFirstWords();
    const pid = obsidian.sidecarPid();
    obsidian.killSidecar();
    const broken = await obsidian.waitForEnd();
    expect(broken).toContain(first.trim());
    expect(broken).toContain(say("sidecar.killed"));
    await obsidian.screenshot("sidecar-killed");
    // It is started again by itself, and the next question is answered in full.
    await obsidian.waitForReady();
    await obsidian.ask("What am I paid for the Tallinn workshop in all?");
    expect(await obsidian.waitForEnd()).toContain("2,400 €");
    expect(obsidian.sidecarPid()).not.toBe(pid);
    expect(obsidian.processes()).toHaveLength(1);
  },
);

flow("no zib is installed: the panel says what to type, and finds it afterwards", { zib: null }, async (obsidian) => {
  expect(await panel(obsidian, "failed", say("sidecar.missing"))).toContain(commandIn("sidecar.missing.hint"));
  await obsidian.screenshot("sidecar-missing");
  expect(obsidian.bridge.processes.started).toBe(0);
  symlinkSync(findZib() ?? "", join(obsidian.room.bin, "zib"));
  await obsidian.click(".zibaldone-restart");
  await obsidian.waitForReady();
});

flow(
  "a zib at an odd place is set in the settings, which show what the sidecar reports",
  { zib: null },
  async (obsidian) => {
    const place = join(obsidian.room.home, "tools for ü");
    mkdirSync(place);
    symlinkSync(findZib() ?? "", join(place, "zib"));
    await panel(obsidian, "failed", say("sidecar.missing"));
    await obsidian.click(".zibaldone-open-settings");
    const path = obsidian.get(".modal .setting-item").filter({ hasText: say("settings.zibPath") });
    await path.locator("input").fill("zib");
    await path.filter({ hasText: say("settings.zibPath.absolute") }).waitFor();
    await path.locator("input").fill(join(place, "zib"));
    await obsidian
      .get(".setting-item.mod-action")
      .filter({ hasText: say("settings.restart") })
      .click();
    await obsidian.waitForReady();
    await obsidian
      .get(".setting-item.mod-page")
      .filter({ hasText: say("settings.reported") })
      .click();
    await obsidian.waitFor(".setting-item", "fake-chat");
    await obsidian.screenshot("sidecar-settings");
    // Kept on this device, not in the vault.
    await obsidian.reloadWindow();
    await obsidian.enablePlugin();
    await obsidian.waitForReady();
  },
);

const RUN_FILE = `{"url": "http://127.0.0.1:9", "token_file": "/nowhere", "protocol": 0, "version": "0.0.1", "pid": %s}`;
const OLDER = { script: [`printf '${RUN_FILE}\\n' $$`, "exec cat"] };
flow("a zib that speaks an older protocol: which side to update", { zib: OLDER }, async (obsidian) => {
  expect(await panel(obsidian, "failed", "older")).toContain(commandIn("sidecar.older.hint"));
  await obsidian.screenshot("sidecar-older");
  expect(obsidian.bridge.processes.started).toBe(1);
});

flow(
  "a settings file that cannot be read is told, and no dialog outlives the plugin",
  { enabled: false },
  async (obsidian) => {
    const folder = join(obsidian.room.home, "config/zibaldone");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "config.toml"), "[models\n");
    await obsidian.enablePlugin();
    expect(await obsidian.waitForNotice(say("settings.leftOut"))).toContain("config.toml");
    await obsidian.screenshot("sidecar-config");
    for (const command of ["search", "show-status"]) {
      await obsidian.command(command);
      await obsidian.waitFor(".modal, .prompt");
      await obsidian.disablePlugin();
      expect(await obsidian.get(".modal, .prompt, .notice").count()).toBe(0);
      await obsidian.enablePlugin();
    }
  },
);

const OTHER = { script: [`printf '${RUN_FILE}\\n' 4711`] };
flow("a sidecar of an older protocol runs already: which process to stop", { zib: OTHER }, async (obsidian) => {
  expect(await panel(obsidian, "failed", "4711")).toContain(say("sidecar.otherProtocol.hint"));
  await obsidian.screenshot("sidecar-other");
});

const BROKEN = { script: ["exec /gone/python -m zibaldone"] };
flow("a zib that is broken: install it again", { zib: BROKEN }, async (obsidian) => {
  expect(await panel(obsidian, "failed", "127")).toContain(commandIn("sidecar.unrunnable.hint"));
  expect(obsidian.bridge.processes.started).toBe(1);
});

flow(
  "no model is installed: the panel says so, and passages are quoted",
  { models: DEFAULT, env: { ZIBALDONE_MODELS_DIR: "/nowhere" } },
  async (obsidian) => {
    const told = await panel(obsidian, "lacking", say("lacking.all"));
    const { vault, bin } = obsidian.room;
    expect(told).toContain(`${bin}/zib --vault '${vault}' models pull ${DEFAULT.chat} ${DEFAULT.embed}`);
    await obsidian.waitFor(".zibaldone-welcome-index", "by their words only");
    await obsidian.screenshot("models-missing");
    await obsidian.ask(FEE);
    const answer = await obsidian.waitForEnd();
    expect(answer).toContain("2,400");
    const reason = await obsidian.waitFor(".zibaldone-reason", "No model wrote this answer");
    expect(await reason.isVisible()).toBe(true);
    await obsidian.screenshot("models-missing-answer");
  },
);

flow("a sidecar that hangs is told, and the wait can be ended", { env: SLOW }, async (obsidian) => {
  await obsidian.command("open-chat");
  await obsidian.waitForReady();
  await obsidian.ask(FEE);
  await obsidian.waitForFirstWords();
  await obsidian.waitFor(".zibaldone-busy", say("turn.writing"));
  const pid = obsidian.sidecarPid() ?? 0;
  process.kill(pid, "SIGSTOP");
  try {
    await obsidian
      .get(".zibaldone-progress")
      .filter({ hasText: say("turn.silent") })
      .waitFor({ timeout: 60_000 });
    await obsidian.screenshot("sidecar-hangs");
    await obsidian.click(".zibaldone-progress .zibaldone-action");
    expect(await obsidian.waitForEnd()).toContain(say("turn.stopped"));
  } finally {
    process.kill(pid, "SIGCONT");
  }
});

const MUCH_OLDER = { script: ["echo 'Error: No such option: --attach' >&2", "exit 2"] };
flow("a zib that is too old to understand the plugin", { zib: MUCH_OLDER }, async (obsidian) => {
  expect(await panel(obsidian, "failed", "older")).toContain(commandIn("sidecar.muchOlder.hint"));
  expect(obsidian.bridge.processes.started).toBe(1);
});

flow("the port is taken: which one, and it starts when that is free", { enabled: false }, async (obsidian) => {
  const other = createServer();
  const port = await new Promise<string>((resolve) =>
    other.listen(0, "127.0.0.1", () => resolve(String((other.address() as AddressInfo).port))),
  );
  obsidian.room.env["ZIBALDONE_SERVER_PORT"] = port;
  await obsidian.reloadWindow();
  await obsidian.enablePlugin();
  await obsidian.command("open-chat");
  const state = await obsidian.waitFor(".zibaldone-state", port);
  expect(await state.innerText()).toMatch(/in use|taken/);
  await obsidian.screenshot("sidecar-port");
  await new Promise((resolve) => other.close(resolve));
  await obsidian.click(".zibaldone-restart");
  await obsidian.waitForReady();
});

flow(
  "fifty reloads leave nothing behind",
  { enabled: false, minutes: 5, env: { ZIBALDONE_FAKE_PAUSE_S: "0.2" } },
  async (obsidian) => {
    // Once, so that the pane has its place in the workspace, which it keeps, and the browser's driver has its own listeners.
    await obsidian.enablePlugin();
    await obsidian.command("open-chat");
    await obsidian.ask(FEE);
    await obsidian.waitForFirstWords();
    await obsidian.disablePlugin();
    const settled = async () => ({ ...(await obsidian.counts()), processes: obsidian.processes().length });
    await expect.poll(settled, { timeout: 20_000 }).toMatchObject({ processes: 0, timers: 0, intervals: 0 });
    const before = await settled();

    const atOnce = async () => await obsidian.enablePlugin();
    const moments: ((started: number) => Promise<unknown>)[] = [
      atOnce,
      async (started) => {
        await obsidian.enablePlugin();
        await expect.poll(() => obsidian.bridge.processes.started, { timeout: 20_000 }).toBeGreaterThan(started);
      },
      async () => {
        await obsidian.enablePlugin();
        await obsidian.command("search");
        await obsidian.type("queen");
      },
      async () => await obsidian.page.evaluate(() => void window.harness.loadPlugin()),
      atOnce,
      async () => {
        await obsidian.enablePlugin();
        await obsidian.ask(FEE);
        await obsidian.waitForFirstWords();
      },
    ];
    for (let round = 0; round < 50; round++) {
      await moments[round % moments.length]?.(obsidian.bridge.processes.started);
      await obsidian.disablePlugin();
      await obsidian.press("Escape");
    }
    await expect.poll(settled, { timeout: 30_000 }).toEqual(before);
    await obsidian.enablePlugin();
    await obsidian.waitForReady();
    expect(obsidian.processes()).toHaveLength(1);
  },
);
