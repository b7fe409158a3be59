import { expect, test } from "vitest";
import { findCommands } from "../../src/chat/suggest/commands";
import { rank } from "../../src/chat/suggest/rank";
import { findTrigger, finishTrigger } from "../../src/chat/suggest/trigger";
import { fold } from "../../src/fold";

test("a mention, a link and a command are known by what stands before the cursor", () => {
  const found = (text: string) => findTrigger(text, text.length);
  expect(found("@")).toEqual({ kind: "mention", query: "", from: 0 });
  expect(found("about @rote gr")).toEqual({ kind: "mention", query: "rote gr", from: 6 });
  expect(found("see [[Tal")).toEqual({ kind: "mention", query: "Tal", from: 4 });
  expect(found("/his")).toEqual({ kind: "command", query: "his", from: 0 });
  for (const none of ["", "mail me@home", "a/b", " /x", "[[a]] and", "@ x", "done [[a]]"])
    expect(found(none)).toBeNull();
});

test("what was chosen is named within a sentence, and at its beginning stands beside it only", () => {
  const finish = (text: string, name: string) => {
    const trigger = findTrigger(text, text.length);
    return trigger && finishTrigger(text, text.length, trigger, name);
  };
  expect(finish("@be", "Bees")).toEqual({ text: "", cursor: 0 });
  expect(finish("what of @be", "Bees")).toEqual({ text: "what of Bees ", cursor: 13 });
  const link = findTrigger("what of [[be]] now", 12);
  expect(link && finishTrigger("what of [[be]] now", 12, link, "Bees")).toEqual({
    text: "what of Bees now",
    cursor: 12,
  });
});

test("names come before places, beginnings before middles, without case and accents", () => {
  const all = ["Areas/Bees.md", "Bees/Log.md", "Rote Grütze.md", "Old bees.md", "Beeswax.md"].map((path) => ({
    name: fold(path.replace(/^.*\//, "").replace(".md", "")),
    path: fold(path),
  }));
  expect(rank(all, "BEES", 9).map(({ path }) => path)).toEqual([
    "areas/bees.md",
    "beeswax.md",
    "old bees.md",
    "bees/log.md",
  ]);
  expect(rank(all, "grutze rote", 9)).toHaveLength(1);
  expect(rank(all, "zebra", 9)).toEqual([]);
  expect(rank(all, "", 2)).toHaveLength(2);
});

test("commands are found by their name, or by what they do", () => {
  expect(findCommands("his").map(({ name }) => name)).toEqual(["history"]);
  expect(findCommands("begin").map(({ name }) => name)).toEqual(["new"]);
  expect(findCommands("").length).toBeGreaterThan(8);
  expect(findCommands("usr/bin")).toEqual([]);
});
