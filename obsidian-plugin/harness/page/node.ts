/** `require("child_process")`, `fs`, `os`, `path` and `process`, as far as the plugin uses them, over the bridge. */
import type { ChildNews } from "../bridge/processes";
import type { Entry } from "../bridge/disk";

interface Given {
  secret: string;
  env: Record<string, string>;
  vault: string;
}

type Reply = { value: unknown } | { error: { message: string; code: string } };

/** Taken before the plugin's are counted: what the harness itself does is not the plugin's. */
const send = window.fetch.bind(window);

const given = JSON.parse(document.querySelector<HTMLMetaElement>("meta[name=harness]")?.content ?? "{}") as Given;
const session = crypto.randomUUID();
const news = new EventSource(`/node/news?${new URLSearchParams({ session, secret: given.secret }).toString()}`);
const children = new Map<number, FakeChild>();

export const vaultPath = given.vault;

/** When the bridge listens, so that no news is missed. */
export const connected = new Promise<void>((resolve) => news.addEventListener("open", () => resolve(), { once: true }));

export async function call<T>(name: string, ...args: unknown[]): Promise<T> {
  const reply = await send(`/node/${name}`, {
    method: "POST",
    headers: { "X-Harness": given.secret },
    body: JSON.stringify(args),
  });
  return open<T>((await reply.json()) as Reply);
}

/** Node's functions that answer at once; a page can wait for nothing but this kind of request. */
function callNow<T>(name: string, ...args: unknown[]): T {
  const asked = new XMLHttpRequest();
  asked.open("POST", `/node/${name}`, false);
  asked.setRequestHeader("X-Harness", given.secret);
  asked.send(JSON.stringify(args));
  return open<T>(JSON.parse(asked.responseText) as Reply);
}

function open<T>(reply: Reply): T {
  if ("error" in reply) throw Object.assign(new Error(reply.error.message), { code: reply.error.code });
  return reply.value as T;
}

export function onVaultChange(changed: (path: string) => void): void {
  news.addEventListener("vault", (event: MessageEvent<string>) => changed(JSON.parse(event.data) as string));
}

news.addEventListener("child", (event: MessageEvent<string>) => {
  const told = JSON.parse(event.data) as ChildNews;
  children.get(told.id)?.hear(told);
});

type Listener = (...args: never[]) => void;

class Emitter {
  readonly #listeners = new Map<string, { listener: Listener; once: boolean }[]>();

  on(event: string, listener: Listener): this {
    return this.#add(event, listener, false);
  }

  once(event: string, listener: Listener): this {
    return this.#add(event, listener, true);
  }

  addListener(event: string, listener: Listener): this {
    return this.on(event, listener);
  }

  off(event: string, listener: Listener): this {
    const kept = (this.#listeners.get(event) ?? []).filter((entry) => entry.listener !== listener);
    this.#listeners.set(event, kept);
    return this;
  }

  removeListener(event: string, listener: Listener): this {
    return this.off(event, listener);
  }

  removeAllListeners(event?: string): this {
    if (event === undefined) this.#listeners.clear();
    else this.#listeners.delete(event);
    return this;
  }

  emit(event: string, ...args: unknown[]): boolean {
    const heard = [...(this.#listeners.get(event) ?? [])];
    for (const { listener, once } of heard) {
      if (once) this.off(event, listener);
      (listener as (...given: unknown[]) => void)(...args);
    }
    // As in Node: an error that nobody listens to is thrown.
    if (event === "error" && heard.length === 0) throw args[0];
    return heard.length > 0;
  }

  #add(event: string, listener: Listener, once: boolean): this {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), { listener, once }]);
    return this;
  }
}

/** Bytes that are text when asked, as Node's `Buffer`. */
class Bytes extends Uint8Array {
  override toString(): string {
    return new TextDecoder().decode(this);
  }
}

class Output extends Emitter {
  readonly #decoder = new TextDecoder();
  #asText = false;

  setEncoding(): this {
    this.#asText = true;
    return this;
  }

  resume(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  destroy(): this {
    return this;
  }

  hear(base64: string): void {
    const bytes = Bytes.from(atob(base64), (char) => char.charCodeAt(0));
    this.emit("data", this.#asText ? this.#decoder.decode(bytes, { stream: true }) : bytes);
  }
}

class FakeChild extends Emitter {
  readonly stdout = new Output();
  readonly stderr = new Output();
  readonly stdin = Object.assign(new Emitter(), {
    write: (text: string) => (this.#tell("write", text), true),
    end: () => this.#tell("endInput"),
    destroy: () => this.#tell("endInput"),
  });
  pid: number | undefined;
  exitCode: number | null = null;
  signalCode: string | null = null;
  killed = false;
  #id = 0;

  started(id: number, pid: number): void {
    [this.#id, this.pid] = [id, pid];
    children.set(id, this);
  }

  kill(signal = "SIGTERM"): boolean {
    this.killed = this.pid !== undefined && this.exitCode === null && this.signalCode === null;
    if (this.killed) this.#tell("signal", signal);
    return this.killed;
  }

  ref(): void {}

  unref(): void {}

  hear({ id, event, data, code, signal }: ChildNews): void {
    if (event === "stdout" || event === "stderr") return this[event].hear(data ?? "");
    [this.exitCode, this.signalCode] = [code, signal];
    if (event === "close") {
      children.delete(id);
      for (const output of [this.stdout, this.stderr]) for (const last of ["end", "close"]) output.emit(last);
    }
    this.emit(event, code, signal);
  }

  #tell(name: string, ...args: unknown[]): void {
    // At once, not later: what a plugin does in the last moment before the page goes has to arrive.
    if (this.#id) callNow(name, this.#id, ...args);
  }
}

function spawn(command: string, args: string[] = [], options: { env?: Record<string, string> } = {}): FakeChild {
  const child = new FakeChild();
  try {
    const { id, pid } = callNow<{ id: number; pid: number }>("spawn", session, command, args, options.env ?? null);
    child.started(id, pid);
    queueMicrotask(() => child.emit("spawn"));
  } catch (error) {
    queueMicrotask(() => (child.emit("error", error), child.emit("close", -2, null)));
  }
  return child;
}

function existsSync(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch {
    return false;
  }
}

function statSync(path: string) {
  return asStats(callNow<Entry>("stat", path));
}

function asStats(entry: Entry) {
  return { ...entry, isFile: () => !entry.folder, isDirectory: () => entry.folder };
}

const sync = {
  existsSync,
  statSync,
  accessSync: (path: string) => void statSync(path),
  readFileSync: (path: string) => callNow<string>("readText", path),
  readdirSync: (path: string) => callNow<string[]>("names", path),
  realpathSync: (path: string) => callNow<string>("realPath", path),
};

const promises = {
  stat: async (path: string) => asStats(await call<Entry>("stat", path)),
  access: async (path: string) => void (await call<Entry>("stat", path)),
  readFile: async (path: string) => await call<string>("readText", path),
  readdir: async (path: string) => await call<string[]>("names", path),
  realpath: async (path: string) => await call<string>("realPath", path),
};

function join(...parts: string[]): string {
  return parts
    .filter(Boolean)
    .join("/")
    .replace(/\/{2,}/g, "/");
}

const path = { join, sep: "/", delimiter: ":", isAbsolute: (given_: string) => given_.startsWith("/") };
const os = { homedir: () => given.env["HOME"], platform: () => "linux" };

const modules: Record<string, unknown> = {
  child_process: { spawn },
  fs: { ...sync, promises, constants: { F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1 } },
  "fs/promises": promises,
  os,
  path: { ...path, posix: path },
};

/** Electron's `window.require`. */
export function requireNode(name: string): unknown {
  const found = modules[name.replace(/^node:/, "")];
  if (found === undefined) throw new Error(`Cannot find module '${name}'`);
  return found;
}

export function installNode(target: Window): void {
  Object.assign(target, { require: requireNode, process: { env: given.env, platform: "linux", pid: 1, versions: {} } });
}
