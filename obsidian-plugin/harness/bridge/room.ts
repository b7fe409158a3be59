/** The temporary folder that a run lives in: a copy of the example vault, a home of its own, and a `zib` on its PATH. */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";

const PROJECT = resolve(import.meta.dirname, "../../..");

export interface Models {
  chat: string;
  embed: string;
}

export const FAKE: Models = { chat: "fake-chat", embed: "fake-embed" };
export const SMALL: Models = { chat: "smollm2-135m", embed: "all-minilm-l6-v2" };
export const DEFAULT: Models = { chat: "qwen2.5-coder-1.5b", embed: "multilingual-e5-small" };

const FILES: Record<string, string> = {
  "smollm2-135m": "smollm2-135m-instruct-q4_1.gguf",
  "all-minilm-l6-v2": "all-minilm-l6-v2-f16.gguf",
  "qwen2.5-coder-1.5b": "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
  "multilingual-e5-small": "multilingual-e5-small-q4_0.gguf",
};

export interface Room {
  root: string;
  vault: string;
  home: string;
  /** The only folder on the PATH that a test may put programs in. */
  bin: string;
  /** What Obsidian, and so every process that the plugin starts, has as its environment. */
  env: Record<string, string>;
}

/** `zib`: from the environment, else the project's own; null where there is none. */
export function findZib(): string | null {
  const path = process.env["ZIBALDONE_ZIB"] ?? join(PROJECT, ".venv/bin/zib");
  return existsSync(path) ? path : null;
}

export function modelsFolder(): string {
  const data = process.env["XDG_DATA_HOME"] ?? join(homedir(), ".local/share");
  return process.env["ZIBALDONE_MODELS_DIR"] ?? join(data, "zibaldone/models");
}

export function hasModels(models: Models): boolean {
  return [models.chat, models.embed].every((name) => existsSync(join(modelsFolder(), FILES[name] ?? name)));
}

/** A program by its path, or a shell script in its place; null: there is none. */
export type Zib = string | { script: string[] } | null;

/** `zib` is what is found on the PATH. */
export function makeRoom(options: { zib: Zib; models: Models; env: Record<string, string> }): Room {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "zibaldone-harness-")));
  // The space and the umlaut are meant: paths of real vaults have them.
  const [vault, home, bin] = [join(root, "My vault ü"), join(root, "home"), join(root, "bin")];
  for (const folder of [home, bin]) mkdirSync(folder);
  cpSync(join(PROJECT, "examples/vault"), vault, { recursive: true });
  if (options.zib) putProgram(join(bin, "zib"), options.zib);
  const env = {
    PATH: `${bin}:/usr/bin:/bin`,
    LANG: "C.UTF-8",
    HOME: home,
    XDG_DATA_HOME: join(home, "data"),
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_CACHE_HOME: join(home, "cache"),
    ZIBALDONE_HARNESS: root,
    ZIBALDONE_MODELS_DIR: modelsFolder(),
    ZIBALDONE_MODELS_CHAT: options.models.chat,
    ZIBALDONE_MODELS_EMBED: options.models.embed,
    ZIBALDONE_WATCH_DEBOUNCE_S: "0.1",
    ...options.env,
  };
  git(vault, env, "init", "--quiet");
  git(vault, env, "add", "--all");
  git(vault, env, "-c", "user.name=Marlene", "-c", "user.email=marlene@localhost", "commit", "--quiet", "-m", "Notes");
  return { root, vault, home, bin, env };
}

function putProgram(path: string, zib: string | { script: string[] }): void {
  if (typeof zib === "string") symlinkSync(zib, path);
  else writeFileSync(path, ["#!/bin/sh", ...zib.script, ""].join("\n"), { mode: 0o755 });
}

export function removeRoom(room: Room): void {
  rmSync(room.root, { recursive: true, force: true, maxRetries: 5 });
}

/** Every living process that inherited this room's environment, whoever started it. Linux only; elsewhere empty. */
export function processesIn(room: Room): number[] {
  if (process.platform !== "linux") return [];
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.filter((pid) => environmentOf(pid).includes(`ZIBALDONE_HARNESS=${room.root}\0`)).map(Number);
}

/** Empty for a process that has ended, also where nobody has waited for it yet. */
function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return "";
  }
}

function git(folder: string, env: Record<string, string>, ...args: string[]): void {
  execFileSync("git", ["-C", folder, ...args], { env, stdio: "pipe" });
}
