/** Text that others wrote, wherever the pane shows it or puts it: nothing in it runs, loads or opens. */
import { createServer, type AddressInfo } from "node:net";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { flow } from "./flow";
import {
  answer,
  EXAMPLE_CITATION,
  EXAMPLE_HIT,
  SCRIPTED,
  scriptAnswer,
  scriptConversation,
  streamOf,
} from "./scripted";

/** Each calls `alarm` if it runs, or asks the canary at `U` if it loads; 30 of them, each shown in two ways and more. */
const PAYLOADS: readonly string[] = [
  `<img src="U/1" onerror="alarm('1')">`,
  `<script>alarm('2')</script>`,
  `<script src="U/3"></script>`,
  `<iframe src="U/4"></iframe>`,
  `<svg onload="alarm('5')"><image href="U/5"></image></svg>`,
  `<details open ontoggle="alarm('6')">x</details>`,
  `<video autoplay src="U/7" onerror="alarm('7')"></video>`,
  `<object data="U/8"></object><embed src="U/8">`,
  `<link rel="stylesheet" href="U/9"><style>@import "U/9"; *{background:url(U/9)}</style>`,
  `<form action="U/10"><input autofocus onfocus="alarm('10')"></form>`,
  `<a href="javascript:alarm('11')">click</a>`,
  `![remote](U/12)`,
  `![remote](<U/13> "title")`,
  `![remote][r]\n\n[r]: U/14`,
  `![[U/15]]`,
  `![[Home]]`,
  `[click](javascript:alarm('17'))`,
  `[click](JaVaScRiPt&#58;alarm('18'))`,
  `<javascript:alarm('19')>`,
  `[open](obsidian://zibaldone?do=it)`,
  `<obsidian://zibaldone?do=it>`,
  `[file](file:///etc/passwd)`,
  `[data](data:text/html,<script>alarm('23')</script>)`,
  "```dataviewjs\nalarm('24')\n```",
  "~~~js-engine\nalarm('25')\n~~~",
  "`$= alarm('26')` `= this.file.name` `INPUT[text:x]`",
  "<% alarm('27') %> <%* await tp.user.alarm('27') %>",
  `[[Home|<b onmouseover=alarm('28')>home</b>]]`,
  "$\\href{javascript:alarm('29')}{x}$ %%<img src=U/29>%%",
  "```html\n<img src=U/30>\n",
];
/** What would load in a browser, or run in Obsidian, if it were made of the text. */
const ACTIVE =
  "img, script, iframe, video, audio, object, embed, form, style, link, details[ontoggle], svg:not(.svg-icon), .internal-embed, [class*=block-language]";

flow(
  "sixty payloads in answers, quotes, titles, tags and names of files stay text",
  { zib: SCRIPTED, minutes: 5 },
  async (obsidian) => {
    let asked = 0;
    const canary = createServer((socket) => {
      asked++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => canary.listen(0, "127.0.0.1", () => resolve()));
    obsidian.page.on("dialog", (dialog) => void dialog.dismiss());
    const url = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`;
    const payloads = PAYLOADS.map((text) => text.replaceAll("U/", `${url}/`));
    await obsidian.command("open-chat");
    await obsidian.waitForReady();

    const saids = payloads.map((payload) => {
      const place = { path: `Areas/${payload}.md`, heading: [payload, `#${payload}`], source_uri: `note:${payload}` };
      const also = { commit: null, modality: "text", page: null };
      return answer({
        answer: `Before ${payload} after [1].\n\n${payload}\n\nLast.`,
        citations: [{ ...EXAMPLE_CITATION, ...place, ...also, quote: payload, supported: false }],
        hits: [
          { ...EXAMPLE_HIT, ...place, ...also, text: payload, title: payload, subquery: payload, also: [payload] },
        ],
        unsupported_claims: [payload],
        notes: [payload],
        truncated: [payload],
        not_covered: payload,
        searched_as: payload,
        within: [payload, `#${payload}`, `${payload}/`],
      });
    });
    // Thirty in a conversation that is opened, and thirty as they are streamed.
    scriptConversation(
      obsidian,
      saids.map((said, at) => [payloads[at] ?? "", said] as const),
    );
    await obsidian.get(".notice").click();
    await obsidian.click(".zibaldone-show-history");
    await obsidian.waitFor(".suggestion-item.is-selected");
    await obsidian.press("Enter");
    await obsidian.page.waitForFunction(
      (count) => document.querySelectorAll(".zibaldone-turn .zibaldone-ending").length === count,
      payloads.length,
    );
    await obsidian.page.evaluate(() => {
      for (const summary of document.querySelectorAll<HTMLElement>(".zibaldone-turn summary")) summary.click();
    });
    expect(await obsidian.get(`.zibaldone-chat :is(${ACTIVE})`).count()).toBe(0);
    await obsidian.screenshot("untrusted");

    await obsidian.click(".zibaldone-new");
    for (const [at, said] of saids.entries()) {
      scriptAnswer(obsidian, streamOf(said, said.answer.split(/(?<=\W)/)));
      await obsidian.ask(`${payloads[at]?.replaceAll("\n", " ")} ${at}`);
      await obsidian.waitForEnd();
      for (const link of await obsidian.turn.locator(".zibaldone-text a:not(.zibaldone-chip, [href^=http])").all())
        await link.evaluate((el: HTMLElement) => el.click());
    }
    expect(await obsidian.get(`.zibaldone-chat :is(${ACTIVE})`).count()).toBe(0);

    // As a note: what other plugins would run when they find it is escaped.
    await obsidian.click(".zibaldone-save");
    await obsidian.waitFor(".zibaldone-name", "Zibaldone/chats/");
    await obsidian.get(".zibaldone-name input").fill("Kept");
    await obsidian.press("Enter");
    await obsidian.waitFor(".mod-root .workspace-tab-header.is-active", "Kept");
    const kept = readFileSync(join(obsidian.room.vault, "Zibaldone/chats/Kept.md"), "utf8");
    const prose = kept.replace(/^(?:> )?(`{3,}|~{3,})[\s\S]*?^(?:> )?\1$/gm, "");
    expect(kept).not.toMatch(/^\s*(?:`{3,}|~{3,})(?:dataviewjs|js-engine)/m);
    expect(prose).not.toMatch(/(?:^|[^\\])!\[/);
    expect(prose).not.toMatch(/<[a-z/%!]/i);
    expect(prose).not.toMatch(/[^\\]\]\((?!https?:)/);
    expect(prose).not.toMatch(/`\$?=/);
    await obsidian.page.evaluate(async (text) => await window.harness.render(text), prose);

    expect(await obsidian.page.evaluate(() => window.harness.alarms)).toEqual([]);
    expect(asked).toBe(0);
    expect(obsidian.context.pages()).toHaveLength(1);

    // And the alarms do ring: the same text as it stands sets them off.
    await obsidian.page.evaluate(async (text) => await window.harness.render(text), payloads.join("\n\n"));
    await obsidian.page.waitForFunction(() => window.harness.alarms.length > 3);
    expect(asked).toBeGreaterThan(0);
    await new Promise((resolve) => canary.close(resolve));
  },
);

flow("a citation of a page, a card, a picture or a commit leads there", { zib: SCRIPTED }, async (obsidian) => {
  const hunk = "@@ -1,2 +1,2 @@ def add\n-return a\n+return a + b";
  const kinds = [
    { path: "Files/paper.pdf", modality: "pdf", page: 4, locator: "p4", source_uri: "pdf:Files/paper.pdf" },
    { path: "Files/plan.canvas", modality: "canvas", page: null, locator: "node=ab12", source_uri: "canvas:plan" },
    { path: "Files/photo.png", modality: "image", page: null, locator: "xywh=0,0,9,9", source_uri: "image:photo" },
    {
      path: "//repo/@abc",
      modality: "code",
      page: null,
      locator: "src/app.py:1-2",
      source_uri: "git:repo@abcdef0123456",
    },
  ];
  const citations = kinds.map((kind, at) => ({
    ...EXAMPLE_CITATION,
    ...kind,
    heading: [],
    marker: at + 1,
    quote: "return a + b",
  }));
  const hits = kinds.map((kind) => ({ ...EXAMPLE_HIT, ...kind, heading: [], text: hunk }));
  const said = answer({ answer: "Four kinds [1] [2] [3] [4].", citations, hits });
  scriptAnswer(obsidian, streamOf(said));
  for (const { path } of kinds.slice(0, 3)) await obsidian.saveNote(path, "{}");
  await obsidian.command("open-chat");
  await obsidian.waitForReady();
  await obsidian.ask("Which kinds?");
  await obsidian.waitForEnd();
  await obsidian.get(".notice").click();
  await obsidian.screenshot("kinds");
  const chip = (marker: number) => obsidian.turn.locator(".zibaldone-chip").nth(marker - 1);
  await chip(1).hover();
  await expect
    .poll(async () => await obsidian.page.evaluate(() => window.harness.hovers.at(-1)?.linktext))
    .toBe("Files/paper.pdf#page=4");
  const opened = async () =>
    await obsidian.page.evaluate(() => {
      const { workspace } = window.harness.app;
      return (workspace.rootSplit.shown?.view.getState() as { file?: string }).file;
    });
  for (const [at, { path }] of kinds.slice(0, 3).entries()) {
    await obsidian.page.mouse.move(0, 0);
    await chip(at + 1).click();
    await expect.poll(opened).toBe(path);
  }
  await chip(4).click();
  await obsidian.waitFor(".modal .zibaldone-hunk .is-added", "+return a + b");
  await obsidian.screenshot("kinds-commit", { theme: "dark" });
  await obsidian.press("Escape");
});
