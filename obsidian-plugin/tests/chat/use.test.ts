import { expect, test } from "vitest";
import { splitMarkers } from "../../src/chat/dress";
import { findAnchor, makeAnchor } from "../../src/chat/use/anchor";
import { disarm } from "../../src/chat/use/disarm";
import { noteTitle } from "../../src/chat/use/save";

const TEXT = "# Bees\n\nThe apiary stands in the allotment.\n\n## Harvest\n\nAll summer honey was sold.\n";

test("a place is found again after changes above, below and around it", () => {
  const offset = TEXT.indexOf("\n\n## Harvest");
  const anchor = makeAnchor(TEXT, offset);
  expect(findAnchor(TEXT, anchor)).toBe(offset);
  expect(findAnchor(`Something new.\n${TEXT}`, anchor)).toBe(offset + 15);
  expect(findAnchor(TEXT.replace("summer", "spring"), anchor)).toBe(offset);
  expect(findAnchor(TEXT.replace("# Bees", "# Bienen am Wakenitz"), anchor)).toBe(offset + 14);
  expect(findAnchor("All of it was written anew.", anchor)).toBeNull();
  expect(findAnchor("", makeAnchor("", 0))).toBe(0);
});

test("what is a name of a file is made of a question", () => {
  expect(noteTitle("a/b: c?")).toBe("a-b- c");
  expect(noteTitle("  ..What is [[this]]#now|?\nmore")).toBe("What is this now");
  expect(noteTitle("???")).toBe("");
  expect(noteTitle("x".repeat(200))).toHaveLength(80);
});

test("ordinary Markdown stays as it is", () => {
  const plain =
    "**Fee**: 2,400 € [1]\n\n- [ ] a | b\n> [[Bees#Harvest|h]] and [web](https://a.example/x)\n\n```python\na < b\n```\n";
  expect(disarm(plain)).toBe(plain);
});

test("what runs, loads or opens does not any more", () => {
  expect(disarm("```dataviewjs\nx\n```")).toBe("```text\nx\n```");
  expect(disarm("~~~js\nx")).toBe("~~~text\nx\n~~~");
  expect(disarm("`$= x` `= y` `z`")).toBe("`\u2060$= x` `\u2060= y` `z`");
  expect(disarm("<img src=x> <% tp %> a < b")).toBe("&lt;img src=x> &lt;% tp %> a < b");
  expect(disarm("![a](b) ![[c]]")).toBe("\\![a\\](b) \\![[c]]");
  expect(disarm("[a](javascript:x)")).toBe("[a\\](javascript:x)");
  expect(disarm("[r]: javascript:x")).toBe("[r\\]: javascript:x");
  expect(disarm("obsidian://x $y$")).toBe("obsidian&#58;//x \\$y\\$");
});

test("markers in code are no markers", () => {
  expect(splitMarkers("a [1] `b [2]` c [3](d)")).toEqual(["a", { marker: 1, text: " [1]" }, " `b [2]` c [3](d)"]);
});
