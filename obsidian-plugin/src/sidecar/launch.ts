/** A started `zib serve`: the line by which it says where it serves, its last words, and its end. */
import type { RunFile } from "../../../shared-schemas/zibaldone";
import { say } from "../words";
import { within, type Clock } from "./clock";
import { fail, SidecarFailure } from "./failure";
import type { Child, Ending, Host } from "./host";
import { isRecord, isRunFile, parseJson, readError } from "./wire";

const KEPT_CHARACTERS = 64 * 1024;
const LAST_LINES = 50;
/** It ends its work within 4 s of its input's end, or ends itself. */
const GRACE_MS = 6_000;
const KILL_MS = 2_000;

const USAGE_ERROR = 2;
/** A shell's, for a program that cannot be run or is not there. */
const UNRUNNABLE: ReadonlySet<number | null> = new Set([126, 127]);

export class Launched {
  readonly #child: Child;
  readonly #command: string;
  readonly #clock: Clock;
  #stdout = "";
  #stderr = "";
  #rest = "";
  #ending: Ending | null = null;
  #stopping: Promise<void> | null = null;
  /** Where it serves, or who serves already. Rejects with why it ended, or said something else. */
  readonly runFile: Promise<RunFile>;
  /** Never rejects. */
  readonly ended: Promise<Ending>;

  constructor(host: Host, command: string, vaultPath: string, clock: Clock) {
    this.#command = command;
    this.#clock = clock;
    const stdout = new TextDecoder();
    const stderr = new TextDecoder();
    let found: (run: RunFile) => void = () => undefined;
    let failed: (failure: SidecarFailure) => void = () => undefined;
    this.runFile = new Promise((resolve, reject) => {
      found = resolve;
      failed = reject;
    });
    this.runFile.catch(() => undefined); // nobody may be waiting any more
    // With --attach, a sidecar that serves this vault already is named, and the command ends.
    const args = ["--vault", vaultPath, "serve", "--attach", "--stdin-watch", "--json"];
    this.#child = host.spawn(command, args, {
      stdout: (chunk) => {
        const text = stdout.decode(chunk, { stream: true });
        this.#stdout = keepEnd(this.#stdout + text);
        for (const line of this.#takeLines(text)) {
          const value = parseJson(line);
          if (isRunFile(value)) found(value);
          else if (isRecord(value) && "url" in value) failed(fail("bad_reply", "sidecar.badReply"));
        }
      },
      stderr: (chunk) => {
        this.#stderr = keepEnd(this.#stderr + stderr.decode(chunk, { stream: true }));
      },
    });
    this.ended = this.#child.ended.then((ending) => {
      this.#ending = ending;
      failed(this.explainEnd());
      return ending;
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** How it ended, or null while it runs. */
  get ending(): Ending | null {
    return this.#ending;
  }

  /** Why it ended, from what it said last. */
  explainEnd(): SidecarFailure {
    const { code, signal, problem } = this.#ending ?? { code: null, signal: null, problem: null };
    if (problem !== null) return fail("zib_missing", "sidecar.unrunnable", { path: this.#command, reason: problem });
    const error = readError(this.#stdout.slice(this.#stdout.lastIndexOf("\n{") + 1));
    if (error?.code === "vault_busy") return fail("busy", "sidecar.busy");
    if (error) return SidecarFailure.from(error);
    const details = this.lastWords();
    const said = details.split("\n").at(-1)?.trim() ?? "";
    if (code === USAGE_ERROR) return fail("protocol_mismatch", "sidecar.muchOlder", { reason: said }, details);
    const how = code === null ? saySignal(signal) : say("sidecar.exitCode", { code });
    if (UNRUNNABLE.has(code)) {
      return fail(
        "zib_missing",
        "sidecar.unrunnable",
        { path: this.#command, reason: how.replace(/\.$/, "") },
        details,
      );
    }
    // Where it was killed, its last line is that of some log, and no reason.
    const reason = code === null ? how : said || how;
    return fail("crashed", "sidecar.crashed", { reason }, details);
  }

  /** The last lines of its log. They hold no text of notes. */
  lastWords(): string {
    return this.#stderr.trimEnd().split("\n").slice(-LAST_LINES).join("\n");
  }

  /** Asks it to end, and ends it by its handle if it does not. Resolves when it has ended, or cannot be ended. */
  end(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#child.closeInput();
    if (await this.endsWithin(GRACE_MS)) return;
    this.#child.kill();
    await this.endsWithin(KILL_MS);
  }

  async endsWithin(ms: number): Promise<boolean> {
    try {
      await within(this.#clock, ms, this.ended, () => new Error("It still runs."));
      return true;
    } catch {
      return false;
    }
  }

  #takeLines(text: string): string[] {
    const lines = (this.#rest + text).split("\n");
    this.#rest = keepEnd(lines.pop() ?? "");
    return lines;
  }
}

function saySignal(signal: string | null): string {
  return signal === "SIGKILL" ? say("sidecar.killed") : say("sidecar.signal", { signal: signal ?? "?" });
}

function keepEnd(text: string): string {
  return text.slice(-KEPT_CHARACTERS);
}
