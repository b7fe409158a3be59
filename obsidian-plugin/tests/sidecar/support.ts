/** A machine that does what a test says: programs that start, print and end, and sidecars that answer. */
import { PROTOCOL, type Handshake } from "../../../shared-schemas/zibaldone";
import { Supervisor, type SupervisorOptions } from "../../src/sidecar/supervisor";
import type { Child, Ending, Host, Output } from "../../src/sidecar/host";
import type { SidecarState } from "../../src/sidecar/state";

export const ZIB = "/home/ada/.local/bin/zib";
export const VAULT = "/home/ada/Notes";

const encoder = new TextEncoder();

export class ScriptedChild implements Child {
  readonly ended: Promise<Ending>;
  alive = true;
  inputClosed = false;
  killed = false;
  /** Whether it ends when its input is closed. */
  obeys = true;
  onEnd: () => void = () => undefined;
  #resolve: (ending: Ending) => void = () => undefined;

  constructor(
    readonly pid: number,
    readonly command: string,
    readonly args: readonly string[],
    readonly output: Output,
  ) {
    this.ended = new Promise((resolve) => (this.#resolve = resolve));
  }

  print(text: string): void {
    this.output.stdout(encoder.encode(text));
  }

  complain(text: string): void {
    this.output.stderr(encoder.encode(text));
  }

  end(ending: Partial<Ending>): void {
    if (!this.alive) return;
    this.alive = false;
    this.onEnd();
    this.#resolve({ code: null, signal: null, problem: null, ...ending });
  }

  closeInput(): void {
    this.inputClosed = true;
    if (this.obeys) this.end({ code: 0 });
  }

  kill(): void {
    this.killed = true;
    this.end({ signal: "SIGKILL" });
  }
}

/** What answers at a port. `mute`: it accepts requests and never answers. */
export interface Owner {
  line: string;
  url: string;
  token: string;
  handshake: Handshake;
  mute: boolean;
}

type Script = (child: ScriptedChild, host: ScriptedHost) => void;

export class ScriptedHost implements Host {
  platform = "linux";
  env: Record<string, string | undefined> = { PATH: "/usr/local/bin:/usr/bin" };
  homeFolder = "/home/ada";
  /** Path and content. */
  files = new Map<string, string>([[ZIB, ""]]);
  links = new Map<string, string>();
  children: ScriptedChild[] = [];
  owners = new Map<string, Owner>();
  requests: { url: string; aborted: boolean }[] = [];

  /** `scripts[i]` is what the i-th child does; the last one goes on. */
  constructor(...scripts: Script[]) {
    this.#scripts = scripts;
  }
  #scripts: Script[];

  script(...scripts: Script[]): void {
    this.#scripts = scripts;
  }

  get alive(): ScriptedChild[] {
    return this.children.filter((child) => child.alive);
  }

  get last(): ScriptedChild {
    const child = this.children.at(-1);
    if (!child) throw new Error("Nothing was started.");
    return child;
  }

  spawn(command: string, args: readonly string[], output: Output): Child {
    const child = new ScriptedChild(4000 + this.children.length, command, args, output);
    this.children.push(child);
    const script = this.#scripts.length > 1 ? this.#scripts.shift() : this.#scripts[0];
    script?.(child, this);
    return child;
  }

  fileExists(path: string): Promise<boolean> {
    return Promise.resolve(this.files.has(path));
  }

  readText(path: string): Promise<string> {
    const text = this.files.get(path);
    return text === undefined ? Promise.reject(new Error("ENOENT")) : Promise.resolve(text);
  }

  realPath(path: string): Promise<string> {
    return Promise.resolve(this.links.get(path) ?? path);
  }

  /** Somebody serves the vault. */
  addOwner(pid: number, change: Partial<Handshake> = {}): Owner {
    const url = `http://127.0.0.1:${50_000 + this.owners.size + this.children.length * 10}`;
    const token_file = `/home/ada/.local/share/zibaldone/${pid}/token`;
    const handshake: Handshake = { product: "zibaldone", protocol: PROTOCOL, version: "0.1.0", vault: VAULT, pid };
    const said = { url, token_file, pid, protocol: change.protocol ?? PROTOCOL, version: "0.1.0" };
    const owner: Owner = {
      line: `${JSON.stringify(said)}\n`,
      url,
      token: `token-${pid}`,
      handshake: { ...handshake, ...change },
      mute: false,
    };
    this.files.set(token_file, `${owner.token}\n`);
    this.owners.set(url, owner);
    return owner;
  }

  fetch: typeof window.fetch = (input, init) => {
    const url = urlOf(input);
    const request = { url, aborted: false };
    this.requests.push(request);
    return new Promise((resolve, reject) => {
      init?.signal?.addEventListener("abort", () => {
        request.aborted = true;
        reject(new DOMException("Aborted.", "AbortError"));
      });
      const owner = this.owners.get(new URL(url).origin);
      if (!owner) reject(new TypeError("Failed to fetch"));
      else if (new Headers(init?.headers).get("Authorization") !== `Bearer ${owner.token}`) {
        const error = { code: "unauthorized", message: "The token is wrong.", hint: "", retryable: false };
        resolve(new Response(JSON.stringify({ error }), { status: 401 }));
      } else if (!owner.mute) resolve(new Response(JSON.stringify(owner.handshake)));
    });
  };
}

export function urlOf(input: RequestInfo | URL): string {
  return typeof input === "string" ? input : input instanceof URL ? input.href : input.url;
}

/** Becomes the owner and serves until it ends. */
export function serves(change: Partial<Handshake> = {}): Script {
  return (child, host) => {
    const owner = host.addOwner(child.pid, change);
    child.onEnd = () => host.owners.delete(owner.url);
    child.print(owner.line);
  };
}

/** Names `owner` and ends. */
export function attaches(owner: () => Owner): Script {
  return (child) => {
    child.print(owner().line);
    child.end({ code: 0 });
  };
}

export function crashes(said = "ModuleNotFoundError: No module named 'zibaldone'", code = 1): Script {
  return (child) => {
    child.complain(`Traceback (most recent call last):\n${said}\n`);
    child.end({ code });
  };
}

/** As `zib --json` reports a failure. */
export function refuses(code: string, message: string, hint = "", retryable = false): Script {
  return (child) => {
    child.print(`${JSON.stringify({ error: { code, message, hint, retryable } }, null, 2)}\n`);
    child.end({ code: 1 });
  };
}

/** Starts, and says nothing. */
export const silent: Script = () => undefined;

export function supervise(
  host: ScriptedHost,
  settings = { zibPath: "", startAutomatically: true },
  change: Partial<SupervisorOptions> = {},
): { supervisor: Supervisor; seen: SidecarState[] } {
  const supervisor = new Supervisor({
    vaultPath: VAULT,
    host,
    settings: () => settings,
    fetch: host.fetch,
    ...change,
  });
  const seen: SidecarState[] = [];
  supervisor.subscribe((state) => seen.push(state));
  return { supervisor, seen };
}

/** Numbers in [0, 1) that are the same in each run (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
