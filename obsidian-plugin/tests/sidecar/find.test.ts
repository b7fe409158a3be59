import { expect, test } from "vitest";
import { findZib, listCandidates } from "../../src/sidecar/find";
import { ScriptedHost } from "./support";

function hostWith(files: string[], change: Partial<ScriptedHost> = {}): ScriptedHost {
  const host = Object.assign(new ScriptedHost(), change);
  host.files = new Map(files.map((file) => [file, ""]));
  return host;
}

const windows = {
  platform: "win32",
  homeFolder: "C:\\Users\\Ada Lovelace",
  env: { Path: "C:\\Windows;D:\\Tools\\", LOCALAPPDATA: "C:\\Users\\Ada Lovelace\\AppData\\Local" },
};

test.each([
  ["PATH", "/usr/local/bin/zib"],
  ["pipx, uv, pip --user", "/home/ada/.local/bin/zib"],
  ["a uv tool", "/home/ada/.local/share/uv/tools/zibaldone/bin/zib"],
  ["pipx without its link", "/home/ada/.local/share/pipx/venvs/zibaldone/bin/zib"],
  ["a virtual environment", "/home/ada/zibaldone/.venv/bin/zib"],
  ["Homebrew", "/opt/homebrew/bin/zib"],
])("found: %s", async (_, path) => {
  await expect(findZib(hostWith([path]), "")).resolves.toBe(path);
});

test("PATH comes first, and each place once", () => {
  const found = listCandidates(hostWith([]));
  expect(found.slice(0, 2)).toEqual(["/usr/local/bin/zib", "/usr/bin/zib"]);
  expect(new Set(found).size).toBe(found.length);
});

test("a relative entry of PATH, which a vault could fill, is not looked at", () => {
  const host = hostWith([], { env: { PATH: ".::bin:/usr/bin" } });
  expect(listCandidates(host).every((path) => path.startsWith("/"))).toBe(true);
});

test("on a Mac also where Python's installer and pip --user put it", async () => {
  const path = "/Users/ada/Library/Python/3.12/bin/zib";
  await expect(findZib(hostWith([path], { platform: "darwin", homeFolder: "/Users/ada" }), "")).resolves.toBe(path);
});

test.each([
  "D:\\Tools\\zib.exe",
  "C:\\Users\\Ada Lovelace\\.local\\bin\\zib.exe",
  "C:\\Users\\Ada Lovelace\\AppData\\Roaming\\Python\\Python312\\Scripts\\zib.exe",
  "C:\\Users\\Ada Lovelace\\AppData\\Local\\Programs\\Python\\Python311\\Scripts\\zib.exe",
])("on Windows: %s", async (path) => {
  await expect(findZib(hostWith([path], windows), "")).resolves.toBe(path);
});

test.each([
  ["/opt/Ünï code/zib", "/opt/Ünï code/zib"],
  ["  '/opt/Ünï code/zib' ", "/opt/Ünï code/zib"],
  ["/opt/Ünï code", "/opt/Ünï code/zib"],
  ["~/venv/bin/zib", "/home/ada/venv/bin/zib"],
])("chosen as %s", async (chosen, path) => {
  await expect(findZib(hostWith([path, "/usr/bin/zib"]), chosen)).resolves.toBe(path);
});

test.each([
  ['"C:\\Prog files\\zib.exe"', "C:\\Prog files\\zib.exe"],
  ["C:\\Prog files\\zib", "C:\\Prog files\\zib.exe"],
  ["C:\\Prog files\\zib.cmd", "C:\\Prog files\\zib.exe"],
  ["C:\\Prog files\\", "C:\\Prog files\\zib.exe"],
])("chosen on Windows as %s: never a script that only a shell could start", async (chosen, path) => {
  await expect(findZib(hostWith([path, "C:\\Prog files\\zib.cmd"], windows), chosen)).resolves.toBe(path);
});

test("none: with the command to type", async () => {
  const failure = {
    code: "zib_missing",
    retryable: false,
    hint: expect.stringContaining("`scripts/setup`") as string,
  };
  await expect(findZib(hostWith([]), "")).rejects.toMatchObject(failure);
});

test("a chosen one that is not there is named, and no other is taken", async () => {
  const host = hostWith(["/usr/bin/zib"]);
  await expect(findZib(host, "/opt/zib")).rejects.toMatchObject({
    code: "zib_missing",
    message: "There is no program at /opt/zib.",
  });
});
