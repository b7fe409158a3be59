import { expect, test } from "vitest";
import { makeInert } from "../../src/chat/inert";

const shown = (text: string): string => makeInert(text).markdown;
/** The text as a reader sees it: entities decoded. */
const read = (text: string): string =>
  shown(text).replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

/** What no output may hold, whatever the input: the beginnings of everything that acts. */
function expectInert(text: string): void {
  const { markdown } = makeInert(text);
  // Links that we let through are taken out; of what is left nothing may begin a link, an embed or code.
  const rest = markdown
    .replace(/\[\[[^[\]<>`$%\\~!&]+\]\]/g, "")
    .replace(/\[((?:[^[\]]|&#\d+;)*)\]\(https?:\/\/[^\s()<>[\]"'`\\$|]*\)/gi, "$1");
  expect(rest).not.toMatch(/[<`$~!]|\[|\]|%%|::/);
  // An escape would end an entity: the only backslashes that stay stand before letters, space or an end.
  expect(rest).not.toMatch(/\\[!-/:-@[-`{-~]/);
  expect(rest).not.toMatch(/(?:javascript|obsidian|file|data|app|vbscript):/i);
  // Indented code: only an item of a list may stand that far in.
  for (const line of markdown.split("\n")) {
    if (/^(?: {4}|\t)/.test(line)) expect(line.trimStart()).toMatch(/^(?:[-*+]|\d+[.)])(?: |$)/);
    expect(line.trimStart()).not.toMatch(/ {2}|\t/);
  }
}

test.each([
  "<img src=x onerror=alert(1)>",
  "<script>alert(1)</script>",
  "a <iframe src='https://x'></iframe>",
  "<!-- %% -->",
  "<javascript:alert(1)>",
  "<% tp.system.prompt() %>",
  "![remote](https://evil.example/a.png)",
  "![remote][1]\n\n[1]: https://evil.example/a.png",
  "![[Secret note]]",
  "![[image.png|100]]",
  "[click](javascript:alert(1))",
  "[click](JaVaScRiPt:alert(1))",
  "[click](java&#115;cript:alert(1))",
  "[click](java\tscript:alert(1))",
  "[click](<javascript:alert(1)>)",
  "[click](obsidian://open?vault=x)",
  "[click](file:///etc/passwd)",
  "[click](data:text/html,x)",
  "[click][x]\n\n[x]: javascript:alert(1)",
  "obsidian://advanced-uri?commandid=x",
  "[[javascript:alert(1)]]",
  "```dataviewjs\ndv.pages()\n```",
  "~~~dataviewjs\ndv.pages()\n~~~",
  "> ```dataviewjs\n> dv.pages()\n> ```",
  "- ```dataviewjs\n  dv.pages()\n  ```",
  "> ~~~mermaid\n> x\n> ~~~",
  "    $= dv.pages()",
  "\t$= dv.pages()",
  ">     $= dv.pages()",
  "-     $= dv.pages()",
  ">\t\t$= dv.pages()",
  "`$= dv.pages()`",
  "``$= dv.pages()``",
  "`= this.file`",
  "| ` | <img src=x> ` |\n|---|---|",
  "| `a | b` | $= x |\n|:--|--:|",
  "%%hidden%%",
  "$$\\href{javascript:alert(1)}{x}$$",
  "$\\unicode{x}$",
  "key:: ![](https://evil.example)",
  "(key:: value)",
  "a:::b",
  ":\\:",
  "\\<img src=x>",
  "\\\\<img src=x>",
  "\\[click](javascript:alert(1))",
  "\\`$= x`",
  "\\![x](https://evil.example/a.png)",
  "&#33;[x](https://evil.example/a.png)",
  "!\u200B[x](https://evil.example/a.png)",
  "![a](https://x)![b](https://y)",
  "[a](https://x.example/%%y)",
  "[a`](https://x)`](javascript:alert(1))",
  "[![i](https://x/i.png)](https://y)",
  "^[foot](javascript:alert(1))",
  "[^1]\n\n[^1]: <b>x</b>",
  "> [!note]- Title\n> ![[x]]",
  "\uE0000\uE001 `a`",
  "line\rline",
  "```\nunclosed <img>",
])("is inert: %j", (text) => {
  expectInert(text);
});

test("is inert whatever is thrown together", () => {
  const pieces = [
    ..."<>[]()!`~$%:\\|#^&;*_-+> \t\n",
    "```",
    "~~~",
    "%%",
    "::",
    "[[",
    "]]",
    "![",
    "](",
    "https://x.y/z",
  ];
  pieces.push("javascript:", "obsidian://", "dataviewjs", "a", "1", "    ", "- ", "\uE000", "\uE001", "&#33;");
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
  for (let round = 0; round < 5000; round++) {
    const text = Array.from({ length: 2 + random(14) }, () => pieces[random(pieces.length)]).join("");
    expectInert(text);
  }
});

test("keeps code aside as it is", () => {
  const { markdown, codes } = makeInert("Run `zib sync`:\n\n```js\nlet a = `<b>`;\n```\nand ``a ` b``.");
  expect(codes).toEqual([
    { text: "zib sync", block: false },
    { text: "let a = `<b>`;", block: true },
    { text: "a ` b", block: false },
  ]);
  expect(markdown).toContain("Run \uE0000\uE001");
  expect(markdown).not.toContain("js");
});

test("keeps an unclosed fence as code", () => {
  expect(makeInert("```python\nprint(1)").codes).toEqual([{ text: "print(1)", block: true }]);
});

test("keeps what formats", () => {
  for (const text of ["**bold** and _it_", "# Heading", "- a\n    - b\n        - c", "1. one\n2. two", "> quoted"]) {
    expect(shown(text)).toBe(text);
  }
  expect(shown("| a | b |\n|:--|--:|\n| 1 | 2 |")).toBe("| a | b |\n|:--|--:|\n| 1 | 2 |");
});

test("keeps links to notes and to web pages", () => {
  expect(shown("See [[Ilse Brandt|Frau Brandt]] and [[Roof#Cost]].")).toBe(
    "See [[Ilse Brandt|Frau Brandt]] and [[Roof#Cost]].",
  );
  expect(shown("[here](https://example.org/a?b=1%20c)")).toBe("[here](https://example.org/a?b=1%20c)");
  expect(shown("https://example.org")).toBe("https://example.org");
});

test("makes a remote image a link", () => {
  expect(shown("![chart](https://example.org/a.png)")).toBe("&#33;[chart](https://example.org/a.png)");
});

test("what is quiet still reads the same", () => {
  for (const text of ["Fee: 2,400 $ [1]", "a < b && c > d!", "100 % [x]", "at 10:30 ~ noon", "3 * 4 \\ 2"]) {
    expect(read(text)).toBe(text);
  }
});

test("frontmatter is not swallowed", () => {
  expect(shown("---\na: 1\n---").startsWith("\n---")).toBe(true);
});

test("is quick on hostile text", () => {
  const began = performance.now();
  for (const piece of ["`", "[", "[[", "`a`` ", "[a](https://", "\\", "!["]) makeInert(piece.repeat(20_000));
  expect(performance.now() - began).toBeLessThan(5000);
});
