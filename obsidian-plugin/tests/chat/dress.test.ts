import { expect, test } from "vitest";
import { replaceMarkers, restoreCode } from "../../src/chat/dress";
import { makeInert } from "../../src/chat/inert";

const chip = (marker: number): HTMLElement | null =>
  marker === 9 ? null : createEl("a", { cls: "zibaldone-chip", text: `#${marker}` });

test("markers in text become chips, in code and links they stay", () => {
  const el = createDiv();
  el.createEl("p", { text: "One [1][2]. Three [9] [12]" });
  el.createEl("p").createEl("code", { text: "A[1]" });
  el.createEl("p").createEl("a", { text: "B[1]" });
  replaceMarkers(el, chip);
  expect(el.textContent).toBe("One#1#2. Three [9]#12A[1]B[1]");
  expect(el.findAll(".zibaldone-chip")).toHaveLength(3);
});

test("code goes where its mark stands, also where a renderer took the mark for code", () => {
  const { codes } = makeInert("`a` and `b`\n\n```\nblock\n```");
  const el = createDiv();
  el.createEl("p", { text: "\uE0000\uE001 and" });
  el.createEl("pre").createEl("code", { text: "\uE0001\uE001" });
  el.createEl("p", { text: "\uE0002\uE001" });
  restoreCode(el, codes);
  expect(el.textContent).toBe("a andbblock");
  expect(el.findAll("p > pre")).toHaveLength(0);
});

test("a mark that belongs to nothing stays what it is", () => {
  const el = createDiv({ text: "\uE0007\uE001" });
  restoreCode(el, [{ text: "x", block: false }]);
  expect(el.textContent).toBe("\uE0007\uE001");
});
