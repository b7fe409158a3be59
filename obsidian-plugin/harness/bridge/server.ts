/**
 * What a page lacks and Obsidian has: its origin, processes, the disk. One HTTP server on the loopback address is all of it:
 *
 * - As Chromium's proxy it serves the page at `http://obsidian.localhost` and passes requests for loopback addresses on, with
 *   `Origin: app://obsidian.md` in the place of the page's own. So the sidecar sees what it sees from Obsidian, and its list of
 *   origins stays as it is. Everything else that the page asks for is refused, and remembered.
 * - `POST /node/NAME` calls a function of Node; `GET /node/news` is the stream of what happens to processes and files.
 *   Both want a secret that only the page has: no other page on this machine may start processes here.
 */
import { randomBytes } from "node:crypto";
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { Disk } from "./disk";
import { Processes } from "./processes";
import type { Room } from "./room";

export const PAGE = "http://obsidian.localhost";
const OBSIDIAN = "app://obsidian.md";
const LOOPBACK = new Set(["127.0.0.1", "[::1]"]);

export interface PageFiles {
  script: string;
  style: string;
  plugin: { main: string; styles: string; manifest: string };
}

type Call = (...args: never[]) => unknown;

export class Bridge {
  readonly processes: Processes;
  /** Addresses that are not on this machine and that the page, or a page that it opened, asked for. */
  readonly refused: string[] = [];
  readonly #room: Room;
  readonly #files: PageFiles;
  readonly #calls: Record<string, Call>;
  readonly #server: Server;
  readonly #listeners = new Map<string, ServerResponse>();
  readonly #secret = randomBytes(16).toString("hex");
  readonly #endWatch: () => void;

  private constructor(room: Room, files: PageFiles) {
    this.#room = room;
    this.#files = files;
    this.processes = new Processes(room, (session, news) => this.#tell("child", news, session));
    const disk = new Disk(room);
    this.#endWatch = disk.watchVault((path) => this.#tell("vault", path));
    this.#calls = {
      spawn: this.processes.start.bind(this.processes),
      write: this.processes.write.bind(this.processes),
      endInput: this.processes.endInput.bind(this.processes),
      signal: this.processes.signal.bind(this.processes),
      readText: disk.readText.bind(disk),
      realPath: disk.realPath.bind(disk),
      stat: disk.stat.bind(disk),
      names: disk.names.bind(disk),
      listVault: disk.listVault.bind(disk),
      writeNote: disk.write.bind(disk),
      makeFolder: disk.makeFolder.bind(disk),
      rename: disk.rename.bind(disk),
      remove: disk.remove.bind(disk),
      requestUrl,
    };
    this.#server = createServer((asked, answer) => void this.#serve(asked, answer));
    this.#server.on("connect", (asked: IncomingMessage, socket) => {
      this.refused.push(`https://${asked.url}`);
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    });
  }

  static async open(room: Room, files: PageFiles): Promise<Bridge> {
    const bridge = new Bridge(room, files);
    await new Promise<void>((resolve) => bridge.#server.listen(0, "127.0.0.1", resolve));
    return bridge;
  }

  get proxy(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<{ killed: number }> {
    this.#endWatch();
    const ended = await this.processes.close(10_000);
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
    return ended;
  }

  async #serve(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const url = new URL(asked.url ?? "/", "http://nowhere.invalid");
    if (url.origin === PAGE) {
      if (url.pathname === "/node/news") this.#listen(url, answer);
      else if (url.pathname.startsWith("/node/")) await this.#call(url.pathname.slice(6), asked, answer);
      else this.#file(url.pathname, answer);
    } else if (LOOPBACK.has(url.hostname)) {
      pass(url, asked, answer);
    } else {
      this.refused.push(url.href);
      answer.writeHead(403).end();
    }
  }

  #file(path: string, answer: ServerResponse): void {
    const { script, style, plugin } = this.#files;
    const page = `<!doctype html><meta charset="utf-8"><title>Obsidian</title><link rel="stylesheet" href="/app.css">
<meta name="harness" content='${JSON.stringify({ secret: this.#secret, env: this.#room.env, vault: this.#room.vault })}'>
<body><script src="/app.js"></script>`;
    const files: Record<string, [string, string]> = {
      "/": ["text/html", page],
      "/app.js": ["text/javascript", script],
      "/app.css": ["text/css", style],
      "/plugin/main": ["text/javascript", plugin.main],
      "/plugin/styles": ["text/css", plugin.styles],
      "/plugin/manifest": ["application/json", plugin.manifest],
    };
    const [type, text] = files[path] ?? [];
    if (type)
      answer.writeHead(200, { "Content-Type": `${type}; charset=utf-8`, "Cache-Control": "no-store" }).end(text);
    else answer.writeHead(404).end();
  }

  async #call(name: string, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const call = this.#calls[name];
    if (asked.headers["x-harness"] !== this.#secret || !call) {
      answer.writeHead(403).end();
      return;
    }
    let reply: unknown;
    try {
      const args = JSON.parse(await readAll(asked)) as never[];
      reply = { value: (await call(...args)) ?? null };
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      reply = { error: { message, code: code ?? "UNKNOWN" } };
    }
    answer.writeHead(200, { "Content-Type": "application/json", Connection: "close" }).end(JSON.stringify(reply));
  }

  #listen(url: URL, answer: ServerResponse): void {
    const session = url.searchParams.get("session") ?? "";
    if (url.searchParams.get("secret") !== this.#secret) {
      answer.writeHead(403).end();
      return;
    }
    answer.writeHead(200, { "Content-Type": "text/event-stream" }).write(": hello\n\n");
    this.#listeners.set(session, answer);
    answer.once("close", () => {
      this.#listeners.delete(session);
      this.processes.leave(session);
    });
  }

  #tell(kind: string, data: unknown, session?: string): void {
    const listeners = session === undefined ? [...this.#listeners.values()] : [this.#listeners.get(session)];
    for (const listener of listeners) listener?.write(`event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`);
  }
}

/** A broken connection on one side becomes a broken connection on the other: no status, no body of our own. */
function pass(url: URL, asked: IncomingMessage, answer: ServerResponse): void {
  const headers: OutgoingHttpHeaders = { ...asked.headers, host: url.host };
  delete headers["proxy-connection"];
  if (headers.origin === PAGE) headers.origin = OBSIDIAN;
  const onward = request(
    {
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port,
      method: asked.method,
      path: url.pathname + url.search,
      headers,
      agent: false,
    },
    (reply) => {
      const back = { ...reply.headers, connection: "close" };
      if (back["access-control-allow-origin"] === OBSIDIAN) back["access-control-allow-origin"] = PAGE;
      answer.writeHead(reply.statusCode ?? 502, back);
      answer.flushHeaders();
      reply.pipe(answer);
      reply.on("error", () => answer.destroy());
      reply.on("aborted", () => answer.destroy());
    },
  );
  onward.on("error", () => answer.destroy());
  answer.on("close", () => onward.destroy());
  asked.pipe(onward);
}

/** Obsidian's `requestUrl`: made by the program, not the page, so without an origin. */
async function requestUrl(asked: { url: string; method?: string; headers?: Record<string, string>; body?: string }) {
  const { url, method = "GET", headers = {}, body = null } = asked;
  if (!LOOPBACK.has(new URL(url).hostname)) throw new Error(`The harness does not ask ${url}.`);
  const reply = await fetch(url, { method, headers, body });
  return { status: reply.status, headers: Object.fromEntries(reply.headers), text: await reply.text() };
}

async function readAll(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
