/** One try at a sidecar: find `zib`, start it, read where it serves, greet it. Then it is held until `end`. */
import { PROTOCOL, type Handshake, type RunFile } from "../../../shared-schemas/zibaldone";
import { SidecarClient } from "./client";
import { reasonOf, within, type Clock } from "./clock";
import { fail, type SidecarFailure } from "./failure";
import { findZib } from "./find";
import type { Host } from "./host";
import { Launched } from "./launch";

export interface SessionOptions {
  vaultPath: string;
  zibPath: string;
  host: Host;
  clock: Clock;
  fetch?: typeof window.fetch;
  /** Which `zib` is started. */
  onFound: (program: string) => void;
  /** A request found the sidecar gone. */
  onLost: () => void;
}

export interface Opened {
  client: SidecarClient;
  handshake: Handshake;
  owned: boolean;
}

/** A cold start on a slow disk, with a scanner of viruses looking at each file. */
const START_MS = 60_000;
/** Also on a machine that is busy with a model. */
const GREET_MS = 10_000;
const NEWS_MS = 500;

export class Session {
  readonly #options: SessionOptions;
  readonly #given = new AbortController();
  #launched: Launched | null = null;
  #client: SidecarClient | null = null;
  #question: Promise<boolean> | null = null;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Rejects with `SidecarFailure`, or with an `AbortError` after `end`. */
  async open(): Promise<Opened> {
    const { host, clock, vaultPath } = this.#options;
    const program = await findZib(host, this.#options.zibPath);
    if (this.#given.signal.aborted) throw reasonOf(this.#given.signal);
    this.#options.onFound(program);
    const launched = (this.#launched = new Launched(host, program, vaultPath, clock));
    const slow = () => fail("unreachable", "sidecar.slow", { seconds: START_MS / 1000 }, launched.lastWords());
    const run = await within(clock, START_MS, launched.runFile, slow, this.#given.signal);
    if (run.protocol !== PROTOCOL && !this.#owns(run)) {
      const { pid, protocol: theirs } = run;
      throw fail("protocol_mismatch", "sidecar.otherProtocol", { pid: String(pid), theirs, ours: PROTOCOL });
    }
    checkProtocol(run.protocol);
    try {
      this.#client = await this.#makeClient(run);
      const handshake = await this.#greet(this.#client);
      return { client: this.#client, handshake, owned: this.#owns(run) };
    } catch (error) {
      // It printed its line and died: that says more than that nobody answers.
      if (launched.ending && launched.ending.code !== 0) throw launched.explainEnd();
      throw error;
    }
  }

  get childHasEnded(): boolean {
    return this.#launched?.ending != null;
  }

  /** Why the child ended, or null where it runs. Where it was killed, its connections break before that is known. */
  async explainChildEnd(): Promise<SidecarFailure | null> {
    const ended = await this.#launched?.endsWithin(NEWS_MS);
    return ended && this.#launched ? this.#launched.explainEnd() : null;
  }

  /** Calls `action` when the child has ended. */
  whenChildEnds(action: () => void): void {
    void this.#launched?.ended.then(action);
  }

  /** Whether the sidecar still answers as it did. One question at a time. */
  answers(): Promise<boolean> {
    this.#question ??= this.#ask().finally(() => (this.#question = null));
    return this.#question;
  }

  async #ask(): Promise<boolean> {
    try {
      if (!this.#client) return false;
      await this.#greet(this.#client);
      return true;
    } catch {
      return false;
    }
  }

  /** Lets everything go, in whatever state it is. Resolves when the child is gone. */
  async end(): Promise<void> {
    this.#given.abort();
    await this.#launched?.end();
  }

  async #makeClient(run: RunFile): Promise<SidecarClient> {
    const { host, clock, fetch, onLost } = this.#options;
    const token = (await host.readText(run.token_file).catch(() => "")).trim();
    if (!/^[\x21-\x7e]+$/.test(token)) throw fail("unreachable", "sidecar.noToken", { path: run.token_file });
    return new SidecarClient({ url: run.url, token, clock, onLost, ...(fetch ? { fetch } : {}) });
  }

  async #greet(client: SidecarClient): Promise<Handshake> {
    const late = () => fail("unreachable", "sidecar.unreachable");
    const asked = new AbortController();
    try {
      const greeting = client.handshake(asked.signal);
      const handshake = await within(this.#options.clock, GREET_MS, greeting, late, this.#given.signal);
      checkProtocol(handshake.protocol);
      await this.#checkVault(handshake.vault);
      return handshake;
    } finally {
      asked.abort();
    }
  }

  async #checkVault(theirs: string): Promise<void> {
    const { host, vaultPath } = this.#options;
    const [ours, served] = await Promise.all([vaultPath, theirs].map((path) => host.realPath(path).catch(() => null)));
    if (ours === null || ours !== served) throw fail("wrong_vault", "sidecar.wrongVault", { theirs });
  }

  /** On Windows `zib.exe` and a virtual environment's `python.exe` start the real one, which has another pid. */
  #owns(run: RunFile): boolean {
    const launched = this.#launched;
    if (!launched || launched.ending) return false;
    return launched.pid === run.pid || this.#options.host.platform === "win32";
  }
}

function checkProtocol(theirs: number): void {
  if (theirs === PROTOCOL) return;
  throw fail("protocol_mismatch", theirs < PROTOCOL ? "sidecar.older" : "sidecar.newer", { theirs, ours: PROTOCOL });
}
