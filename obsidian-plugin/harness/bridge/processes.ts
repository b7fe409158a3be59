/** The processes that the page starts: real ones, each known by the handle that started it. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Room } from "./room";

/** What happened to a child, as the page's `ChildProcess` hears it. Text of the streams is Base64. */
export interface ChildNews {
  id: number;
  event: "stdout" | "stderr" | "exit" | "close";
  data: string | null;
  code: number | null;
  signal: string | null;
}

interface Started {
  child: ChildProcess;
  session: string;
  ended: Promise<void>;
}

export class Processes {
  readonly #room: Room;
  readonly #tell: (session: string, news: ChildNews) => void;
  readonly #running = new Map<number, Started>();
  #started = 0;

  constructor(room: Room, tell: (session: string, news: ChildNews) => void) {
    this.#room = room;
    this.#tell = tell;
  }

  /** How many were started so far. */
  get started(): number {
    return this.#started;
  }

  /** Those that run, oldest first. */
  get pids(): number[] {
    return [...this.#running.values()].flatMap(({ child }) => child.pid ?? []);
  }

  /** Throws what Node would hand to the child's `error` event, as ENOENT. */
  async start(
    session: string,
    command: string,
    args: string[],
    env: Record<string, string> | null,
  ): Promise<{ id: number; pid: number }> {
    const child = spawn(command, args, { env: env ?? this.#room.env, cwd: this.#room.home, stdio: "pipe" });
    await new Promise<void>((resolve, reject) => child.once("spawn", resolve).once("error", reject));
    const id = ++this.#started;
    const tell = (event: ChildNews["event"], data: Buffer | null = null) => {
      const { exitCode: code, signalCode: signal } = child;
      this.#tell(session, { id, event, data: data?.toString("base64") ?? null, code, signal });
    };
    child.stdout.on("data", (data: Buffer) => tell("stdout", data));
    child.stderr.on("data", (data: Buffer) => tell("stderr", data));
    child.stdin.on("error", () => undefined); // it went before it had read everything
    child.on("error", () => undefined); // a signal that came too late
    child.on("exit", () => tell("exit"));
    const ended = new Promise<void>((resolve) => {
      child.on("close", () => {
        this.#running.delete(id);
        tell("close");
        resolve();
      });
    });
    this.#running.set(id, { child, session, ended });
    return { id, pid: child.pid ?? 0 };
  }

  write(id: number, text: string): void {
    this.#running.get(id)?.child.stdin?.write(text);
  }

  endInput(id: number): void {
    this.#running.get(id)?.child.stdin?.end();
  }

  signal(id: number, signal: NodeJS.Signals): void {
    this.#running.get(id)?.child.kill(signal);
  }

  /** Kills the youngest, by the handle that started it. */
  kill(): boolean {
    return [...this.#running.values()].at(-1)?.child.kill("SIGKILL") ?? false;
  }

  /** The page has gone: what its children see is what they see when Obsidian has gone, the end of their input. */
  leave(session: string): void {
    for (const started of this.#running.values()) if (started.session === session) started.child.stdin?.end();
  }

  /** Ends all: first by their input, then, those that will not go, by a signal. */
  async close(graceMs: number): Promise<{ killed: number }> {
    const all = [...this.#running.values()];
    for (const { child } of all) child.stdin?.end();
    let killed = 0;
    await Promise.all(
      all.map(async ({ child, ended }) => {
        const late = setTimeout(() => void (child.kill("SIGKILL") && killed++), graceMs);
        await ended;
        clearTimeout(late);
      }),
    );
    return { killed };
  }
}
