/** What is in the vault is in the answers: saved, renamed, deleted, searched, counted, remembered. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { say } from "../src/words";
import type { Obsidian } from "./driver";
import { flow } from "./flow";

const BARREL = "How many litres does the rain barrel at the allotment hold?";

/**
 * Asks until the vault's last change has reached the index: when that is, is for the sidecar to choose. Each time in a
 * new conversation: within one, what was read before comes first, and the scripted model quotes what comes first.
 */
async function askUntil(obsidian: Obsidian, question: string, fits: (answer: string) => boolean): Promise<string> {
  let answer = "";
  await expect
    .poll(
      async () => {
        await obsidian.click(".zibaldone-new");
        await obsidian.ask(question);
        await obsidian.get(".zibaldone-turn").waitFor();
        answer = await obsidian.waitForEnd();
        return fits(answer);
      },
      { timeout: 30_000 },
    )
    .toBe(true);
  return answer;
}

flow(
  "a note that is saved is known; renamed, it is cited by its new name; deleted, it is gone",
  {},
  async (obsidian) => {
    await obsidian.command("open-chat");
    await obsidian.waitForReady();
    await obsidian.saveNote(
      "Areas/Rain barrel.md",
      "# Rain barrel\n\nThe rain barrel at the allotment holds 310 litres.\n",
    );
    await askUntil(obsidian, BARREL, (answer) => answer.includes("310 litres"));
    await obsidian.screenshot("notes-saved");

    await obsidian.renameNote("Areas/Rain barrel.md", "Areas/Water butt.md");
    const renamed = await askUntil(obsidian, BARREL, (answer) => answer.includes("Water butt"));
    expect(renamed).not.toContain("Rain barrel.md");
    await obsidian.screenshot("notes-renamed");

    await obsidian.saveNote(
      "Areas/Water butt.md",
      "# Water butt\n\nThe rain barrel at the allotment holds 640 litres.\n",
    );
    expect(await askUntil(obsidian, BARREL, (answer) => answer.includes("640 litres"))).not.toContain("310 litres");

    await obsidian.deleteNote("Areas/Water butt.md");
    const gone = await askUntil(obsidian, BARREL, (answer) => !answer.includes("640 litres"));
    expect(gone).not.toMatch(/Rain barrel.md|Water butt/);
    await obsidian.screenshot("notes-deleted");
  },
);

flow("search finds by words and opens at the line; status and sync tell what there is", {}, async (obsidian) => {
  await obsidian.waitForReady();
  await obsidian.command("search");
  await obsidian.type("gold leaf books for Tallinn");
  await obsidian.waitFor(".suggestion-item.is-selected", "Tallinn Workshop");
  await obsidian.screenshot("notes-search");
  await obsidian.press("Enter");
  await obsidian.waitFor(".cm-line.is-flashing");
  await obsidian.waitFor(".mod-root .workspace-tab-header.is-active", "Tallinn Workshop");

  await obsidian.waitFor(".zibaldone-status-bar", /^[1-9]\d* (?!of|von)/); // the first sync is over
  await obsidian.click(".zibaldone-status-bar");
  const status = await obsidian.waitFor(".modal", "fake-chat");
  expect(await status.textContent()).toContain("Templates/Meeting.md");
  await obsidian.screenshot("notes-status");
  await obsidian.press("Escape");
  await obsidian.get(".modal").waitFor({ state: "detached" });

  await obsidian.command("sync");
  expect(await obsidian.waitForNotice("Up to date")).toMatch(/\d+ notes/);
  await obsidian.screenshot("notes-sync");
});

flow(
  "search shows why each was found where it is asked for, and where else it stands",
  { enabled: false },
  async (obsidian) => {
    const rota = "# Kiln rota\n\nMarten fires the small kiln on odd Wednesdays, after the plumber has been.\n";
    for (const folder of ["Areas", "Archive"]) await obsidian.saveNote(`${folder}/Kiln rota.md`, rota);
    await obsidian.enablePlugin();
    await obsidian.waitForReady();
    await obsidian.command("search");
    await obsidian.type("kiln rota versus gold leaf path:Ar");
    await obsidian.waitFor(".suggestion-item", /also in Ar\w+\/Kiln rota/);
    const why = obsidian.get(".zibaldone-why");
    expect(await why.first().isVisible()).toBe(false);

    await obsidian.press("Control+i");
    await obsidian.waitFor(".suggestion-item .zibaldone-why", /words \d+% .* found for “kiln rota”/);
    await obsidian.waitFor(
      ".zibaldone-search-remarks",
      /Meaning counts \d+%, words \d+%\. Left out: .+ by the filters\./,
    );
    await obsidian.screenshot("notes-search-why");
    await obsidian.screenshot("notes-search-why-dark", { theme: "dark" });
    await obsidian.press("Control+i");
    expect(await why.first().isVisible()).toBe(false);
  },
);

flow("a selection is remembered in the vault's own folder", {}, async (obsidian) => {
  await obsidian.waitForReady();
  await obsidian.openNote("Areas/Bees.md");
  expect(await obsidian.command("remember-selection")).toBe(false);
  await obsidian.page.evaluate(() => {
    const editor = window.harness.app.workspace.activeEditor?.editor;
    const line =
      editor
        ?.getValue()
        .split("\n")
        .findIndex((text) => text.startsWith("The apiary stands")) ?? 0;
    editor?.setSelection({ line, ch: 0 }, { line, ch: 44 });
  });
  expect(await obsidian.command("remember-selection")).toBe(true);
  await obsidian.waitForNotice(say("remember.done"));
  await obsidian.screenshot("notes-remember");
  const folder = join(obsidian.room.vault, "Zibaldone");
  const written = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
  expect(written.map((name) => readFileSync(join(folder, name), "utf8")).join()).toContain(
    "The apiary stands in the allotment",
  );
});

/** Each in a note of its own, under a name that no other note has, so that the scripted model quotes just that one. */
const ACTIVE: Record<string, string> = {
  alfa: `<img src="http://canary.invalid/image" onerror="alarm('image')">`,
  bravo: `<script>alarm('script')</script>`,
  charlie: `<iframe src="http://canary.invalid/frame"></iframe>`,
  delta: `<svg onload="alarm('svg')"></svg>`,
  echo: `<details open ontoggle="alarm('toggle')">x</details>`,
  foxtrot: `![remote](http://canary.invalid/markdown)`,
  golf: `![[http://canary.invalid/embed]]`,
  hotel: `[click](javascript:alarm('link'))`,
  india: `<javascript:alarm('angle')>`,
  juliett: `[open](obsidian://zibaldone?do=it)`,
  kilo: `[file](file:///etc/passwd)`,
  lima: `[data](data:text/html,<script>alarm('data')</script>)`,
  mike: "`$= alarm('inline')`",
  november: `[[Home|<b onmouseover=alarm('alias')>home</b>]]`,
};
const NAME = "<img src=x onerror=alarm('name')>";

flow(
  "text from notes stays text: nothing runs, loads or opens",
  { env: { ZIBALDONE_WRITEBACK: "off" } },
  async (obsidian) => {
    await obsidian.command("open-chat");
    await obsidian.waitForReady();
    for (const [name, payload] of Object.entries(ACTIVE))
      await obsidian.saveNote(
        `Areas/${name} ${NAME}.md`,
        `# ${name}\n\nThe ${name} box holds ${payload} since noon.\n`,
      );
    for (const name of Object.keys(ACTIVE)) {
      await askUntil(obsidian, `What does the ${name} box hold?`, (answer) => answer.includes(`The ${name} box holds`));
      for (const link of await obsidian.turn.locator(".zibaldone-text a:not(.zibaldone-chip)").all())
        await link.click();
    }
    await obsidian.screenshot("notes-untrusted");
    await obsidian.command("search");
    await obsidian.type("box holds since noon");
    await obsidian.waitFor(".suggestion-item", NAME);

    const active = "img, script, iframe, video, audio, object, embed, details[ontoggle], svg:not(.svg-icon)";
    expect(await obsidian.get(`:is(.zibaldone-text, .zibaldone-ending, .prompt) :is(${active})`).count()).toBe(0);
    expect(await obsidian.page.evaluate(() => window.harness.alarms)).toEqual([]);
    expect(obsidian.bridge.refused.filter((url) => url.includes("canary"))).toEqual([]);
    expect(obsidian.context.pages()).toHaveLength(1);

    // And the alarms do ring: the same text as it stands sets them off.
    await obsidian.page.evaluate(async (text) => await window.harness.render(text), Object.values(ACTIVE).join("\n\n"));
    await obsidian.page.waitForFunction(() =>
      ["image", "toggle"].every((alarm) => window.harness.alarms.includes(alarm)),
    );
    expect(obsidian.bridge.refused.filter((url) => url.includes("canary")).length).toBeGreaterThan(0);
  },
);
