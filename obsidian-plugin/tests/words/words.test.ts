import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { say, sayBytes, sayCount, useLanguage, type Key } from "../../src/words";
import de from "../../src/words/de";
import en from "../../src/words/en";

afterEach(() => useLanguage("en"));

const KEYS = Object.keys(en) as Key[];
const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();
const SOURCE = "src";

function sources(): string {
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".ts") && !/words[\\/](?:en|de)\.ts$/.test(file))
    .map((file) => readFileSync(join(SOURCE, file), "utf8"))
    .join("\n");
}

test("both languages have the same keys with the same values in them", () => {
  expect(Object.keys(de).sort()).toEqual([...KEYS].sort());
  for (const key of KEYS) expect(placeholders(de[key]), key).toEqual(placeholders(en[key]));
});

test("commands to type are the same in both languages", () => {
  const commands = (text: string): string[] => text.match(/`[^`]*`/g) ?? [];
  for (const key of KEYS) expect(commands(de[key]), key).toEqual(commands(en[key]));
});

test("plurals come in pairs", () => {
  for (const key of KEYS.filter((one) => one.endsWith(".one"))) expect(KEYS).toContain(key.replace(/one$/, "other"));
});

test("every key is used", () => {
  const code = sources();
  // Keys that are put together: `status.model.${state}`, and the hint beside a failure.
  const isUsed = (key: string): boolean => {
    const stem = key.replace(/\.(?:one|other|hint)$/, "");
    const family = stem.slice(0, stem.lastIndexOf("."));
    return [stem, key].some((name) => code.includes(`"${name}"`)) || code.includes(`\`${family}.\${`);
  };
  expect(KEYS.filter((key) => !isUsed(key))).toEqual([]);
});

test("says it in the language of Obsidian, English where there is no other", () => {
  expect(say("composer.send")).toBe("Ask");
  useLanguage("de-AT");
  expect(say("composer.send")).toBe("Fragen");
  useLanguage("pt-BR");
  expect(say("composer.send")).toBe("Ask");
});

test("numbers and plurals are the language's", () => {
  expect(sayCount("bar.ready", 1)).toBe("1 note indexed");
  expect(sayCount("bar.ready", 3176)).toBe("3,176 notes indexed");
  useLanguage("de");
  expect(sayCount("bar.ready", 3176)).toBe("3.176 Notizen im Index");
  expect(sayBytes(18_350_080)).toBe("18,4 MB");
});

test("a value is put in as it is", () => {
  expect(say("place.gone", { path: "a {line} $& b" })).toBe("a {line} $& b is not there any more.");
  expect(say("place.gone")).toBe("{path} is not there any more.");
});
