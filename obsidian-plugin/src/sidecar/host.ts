/** What the sidecar's supervisor needs of the machine, as one small interface, and Node's version of it. */
import { spawn } from "child_process";
import { promises as files } from "fs";
import { homedir } from "os";

/** How a child ended: its exit code, or the signal, or why it could not be started at all (`ENOENT`, ...). */
export interface Ending {
  code: number | null;
  signal: string | null;
  problem: string | null;
}

/** A started program. It is ended by this handle only, never by a pid. */
export interface Child {
  /** Undefined where it could not be started. */
  readonly pid: number | undefined;
  /** Never rejects. */
  readonly ended: Promise<Ending>;
  closeInput(): void;
  kill(): void;
}

/** Takes what the child writes, as it comes. */
export interface Output {
  stdout(chunk: Uint8Array): void;
  stderr(chunk: Uint8Array): void;
}

export interface Host {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeFolder: string;
  /** Starts `command` without a shell; its stdin stays open until `closeInput`. Never throws. */
  spawn(command: string, args: readonly string[], output: Output): Child;
  /** Whether there is a file, not a folder. */
  fileExists(path: string): Promise<boolean>;
  readText(path: string): Promise<string>;
  /** Without symbolic links. Rejects where there is nothing. */
  realPath(path: string): Promise<string>;
}

export function nodeHost(): Host {
  return {
    platform: process.platform,
    env: process.env,
    homeFolder: homedir(),
    spawn: spawnChild,
    fileExists: async (path) => {
      const found = await files.stat(path).catch(() => null);
      return found?.isFile() ?? false;
    },
    readText: (path) => files.readFile(path, "utf8"),
    realPath: (path) => files.realpath(path),
  };
}

function spawnChild(command: string, args: readonly string[], output: Output): Child {
  let child;
  try {
    child = spawn(command, args, {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...process.env, PYTHONUTF8: "1", PYTHONUNBUFFERED: "1" },
      windowsHide: true,
    });
  } catch (error) {
    return unstartable(problemOf(error));
  }
  child.stdin.on("error", () => undefined); // it may be gone when its input is closed
  child.stdout.on("data", (chunk: Uint8Array) => output.stdout(chunk));
  child.stderr.on("data", (chunk: Uint8Array) => output.stderr(chunk));
  return {
    get pid() {
      return child.pid;
    },
    ended: new Promise((resolve) => {
      child.on("error", (error) => {
        if (child.pid === undefined) resolve({ code: null, signal: null, problem: problemOf(error) });
      });
      // A program that ended by itself may have last words still on their way. One that was killed has none, and a
      // process that it started may keep its pipes open.
      child.on("exit", (code, signal) => {
        if (code === null) resolve({ code, signal, problem: null });
      });
      child.on("close", (code, signal) => resolve({ code, signal, problem: null }));
    }),
    closeInput: () => void child.stdin.end(),
    kill: () => void child.kill("SIGKILL"),
  };
}

function unstartable(problem: string): Child {
  const ended = Promise.resolve({ code: null, signal: null, problem });
  return { pid: undefined, ended, closeInput: () => undefined, kill: () => undefined };
}

function problemOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
