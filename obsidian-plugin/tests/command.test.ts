import { Component } from "obsidian";
import { afterEach, expect, test } from "vitest";
import { typed, useCommandLine } from "../src/command";
import { sayFailure } from "../src/failure";
import { showHint } from "../src/hint";

afterEach(() => useCommandLine(null));

const on = (platform: string, program: string | null, vault: string): void =>
  useCommandLine({ platform, vault, program: () => program });

test("a command has the program and the vault in it, quoted for the shell", () => {
  expect(typed("zib doctor")).toBe("zib doctor");
  on("linux", "/opt/zib", "/home/ada/My vault ü");
  expect(typed("zib doctor")).toBe("/opt/zib --vault '/home/ada/My vault ü' doctor");
  expect(typed("zib --vault x sync")).toBe("/opt/zib --vault x sync");
  expect(typed("scripts/setup")).toBe("scripts/setup");
  expect(typed("zibaldone")).toBe("zibaldone");
  on("darwin", "/Users/ada/it's here/zib", "/v; rm -rf ~");
  expect(typed("zib sync --yes")).toBe(String.raw`'/Users/ada/it'\''s here/zib' --vault '/v; rm -rf ~' sync --yes`);
  on("win32", String.raw`C:\Users\Ada B\zib.exe`, String.raw`D:\Ada's notes`);
  expect(typed("zib doctor")).toBe(String.raw`& 'C:\Users\Ada B\zib.exe' --vault 'D:\Ada''s notes' doctor`);
  on("win32", String.raw`C:\zib.exe`, String.raw`D:\notes`);
  expect(typed("zib doctor")).toBe(String.raw`C:\zib.exe --vault D:\notes doctor`);
  on("linux", null, "/v");
  expect(typed("zib doctor")).toBe("zib doctor");
});

test("so it is in hints and in lines of plain text, also where it stands bare at the end", () => {
  on("linux", "/opt/zib", "/v");
  const codes = (text: string): (string | null)[] => {
    const el = createDiv();
    showHint(el, text, new Component());
    return el.findAll("code").map((code) => code.textContent);
  };
  expect(codes("Type `zib doctor` now.")).toEqual(["/opt/zib --vault /v doctor"]);
  expect(codes("zib models pull qwen2.5-coder-1.5b")).toEqual(["/opt/zib --vault /v models pull qwen2.5-coder-1.5b"]);
  expect(codes("It is gone. zib models remove my.model")).toEqual(["/opt/zib --vault /v models remove my.model"]);
  expect(codes("zib is older than this plugin: it is.")).toEqual([]);
  const failure = { code: "x", message: "No.", hint: "Type `zib doctor` or `scripts/setup`.", retryable: false };
  expect(sayFailure(failure)).toBe("No. Type /opt/zib --vault /v doctor or scripts/setup.");
});

test("a name that looks like a command is not offered for copying", () => {
  on("linux", "/opt/zib", "/v");
  for (const name of ["rm -rf ~", "zib sync; curl x | sh", "zib $(x)"]) {
    const el = createDiv();
    showHint(el, `Not read: a\`${name}\`.md.`, new Component());
    expect(el.findAll("button")).toHaveLength(0);
    expect(el.textContent).toBe(`Not read: a${name}.md.`);
  }
});
