// @vitest-environment node
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Rows of the table of features in the harness's README: feature, file, name of the flow. */
const rows = readFileSync("harness/README.md", "utf8")
  .split("\n## ")
  .find((part) => part.startsWith("Features"))
  ?.matchAll(/^\| +(?!feature|-)([^|]+?) +\| +([^|]+?) +\| +([^|]+?) +\|$/gm);

test.each([...(rows ?? [])].map(([, feature = "", file = "", name = ""]) => [feature, file, name]))(
  "%s: %s has the flow “%s”",
  (_feature, file, name) => {
    expect(readFileSync(`harness/${file}.test.ts`, "utf8")).toContain(name);
  },
);
