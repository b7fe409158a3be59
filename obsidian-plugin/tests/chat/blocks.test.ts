import { expect, test } from "vitest";
import { Blocks, splitBlocks } from "../../src/chat/blocks";

const TEXT = "# One\n\nTwo\ntwo.\n\n```js\na\n\nb\n```\n\n~~~~\n```\n~~~\n\n~~~~\n\n- x\n- y\n\nend";
const BLOCKS = ["# One", "Two\ntwo.", "```js\na\n\nb\n```", "~~~~\n```\n~~~\n\n~~~~", "- x\n- y", "end"];

test("a blank line seals, but not within a fence", () => {
  expect(splitBlocks(TEXT)).toEqual(BLOCKS);
});

test("pieces of any size give the same blocks", () => {
  for (let size = 1; size < 20; size++) {
    const blocks = new Blocks();
    const sealed: string[] = [];
    for (let at = 0; at < TEXT.length; at += size) sealed.push(...blocks.push(TEXT.slice(at, at + size)));
    expect([...sealed, blocks.open]).toEqual(BLOCKS);
  }
});

test("a token costs no more at the end of a long answer", () => {
  const time = (blocks: Blocks, count: number): number => {
    const began = performance.now();
    for (let n = 0; n < count; n++) blocks.push(n % 60 === 59 ? "word.\n\n" : "word ");
    return performance.now() - began;
  };
  const blocks = new Blocks();
  time(new Blocks(), 20_000);
  const first = time(blocks, 20_000);
  time(blocks, 160_000);
  expect(time(blocks, 20_000)).toBeLessThan(first * 5 + 20);
});

test("empty text has no blocks", () => {
  expect(splitBlocks("")).toEqual([]);
  expect(splitBlocks("\n\n \n")).toEqual([]);
});
