// @vitest-environment node
/** The whole folder against the real `zib` with scripted models: real processes, sockets and signals. Linux. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { clearTimeout, setTimeout } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { AskEventLine } from "../../../shared-schemas/zibaldone";
import type { Clock } from "../../src/sidecar/clock";
import { isAbort, type SidecarFailure } from "../../src/sidecar/failure";
import { nodeHost } from "../../src/sidecar/host";
import type { SidecarState } from "../../src/sidecar/state";
import { Supervisor } from "../../src/sidecar/supervisor";
import { seededRandom } from "./support";

const ZIB = process.env.ZIBALDONE_ZIB ?? resolve("../.venv/bin/zib");
const here = process.platform === "linux" && existsSync(ZIB);
if (!here)
  console.warn(`SKIPPED: tests/sidecar/live.test.ts needs Linux and zib; there is none at ${ZIB} (ZIBALDONE_ZIB).`);

const QUESTION = "Bei wieviel °C läuft der Töpferofen?";

const timers = new Set<NodeJS.Timeout>();
const clock: Clock = {
  now: () => Date.now(),
  after(ms, action) {
    const timer = setTimeout(() => {
      timers.delete(timer);
      action();
    }, ms);
    timers.add(timer);
    return () => {
      timers.delete(timer);
      clearTimeout(timer);
    };
  },
};

let folder: string;
let vault: string;
const opened: Supervisor[] = [];

function supervise(zibPath = ZIB, vaultPath = vault): Supervisor {
  const supervisor = new Supervisor({
    vaultPath,
    host: nodeHost(),
    settings: () => ({ zibPath, startAutomatically: true }),
    clock,
    fetch,
  });
  opened.push(supervisor);
  return supervisor;
}

async function reach<K extends SidecarState["kind"]>(
  supervisor: Supervisor,
  kind: K,
): Promise<Extract<SidecarState, { kind: K }>> {
  await vi.waitFor(() => expect(supervisor.state.kind).toBe(kind), { timeout: 30_000, interval: 20 });
  return supervisor.state as Extract<SidecarState, { kind: K }>;
}

/** Process ids of this process's living descendants that run `zib`. */
function descendants(): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const [state, parent] = readFileSync(`/proc/${name}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      if (state !== "Z") parents.set(Number(name), Number(parent));
    } catch {
      // It has ended since.
    }
  }
  const isOurs = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === process.pid || isOurs(parent));
  };
  return [...parents.keys()].filter((pid) => isOurs(pid) && commandOf(pid).includes("--stdin-watch"));
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

function script(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

const failureOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => error) as Promise<SidecarFailure>;

describe.skipIf(!here)("with the real zib", { timeout: 60_000 }, () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "zibaldone-plugin-"));
    for (const kind of ["DATA", "CONFIG", "CACHE", "STATE"]) vi.stubEnv(`XDG_${kind}_HOME`, join(folder, kind));
    vi.stubEnv("ZIBALDONE_MODELS_CHAT", "fake-chat");
    vi.stubEnv("ZIBALDONE_MODELS_EMBED", "fake-embed");
    vi.stubEnv("ZIBALDONE_WATCH_DEBOUNCE_S", "0.1");
  });

  beforeEach(() => {
    vault = join(mkdtempSync(join(folder, "with space ")), "Tägebuch");
    mkdirSync(vault);
    writeFileSync(join(vault, "Ofen.md"), "# Ofen\n\nDer Töpferofen läuft bei 1.240 °C — Kegel 6 🔥, 日本の窯.\n");
  });

  afterEach(async () => {
    vi.stubEnv("ZIBALDONE_FAKE_PAUSE_S", undefined);
    await Promise.all(opened.splice(0).map((supervisor) => supervisor.close()));
    // What git was started for may end a moment later.
    await vi.waitFor(() => expect([descendants().map(commandOf), timers.size]).toEqual([[], 0]));
  });

  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  test("starts, says what it has, searches and answers in a stream", async () => {
    const supervisor = supervise();
    const client = await supervisor.connect();
    expect(supervisor.state).toMatchObject({ kind: "ready", owned: true, handshake: { vault } });
    await vi.waitFor(async () => expect((await client.status()).notes.indexed).toBe(1), { timeout: 20_000 });
    expect((await client.health()).ok).toBe(true);
    expect((await client.config()).settings).toHaveProperty(["models.chat"]);
    expect((await client.doctor()).findings).not.toEqual([]);
    expect((await client.jobs()).jobs).toMatchObject([{ kind: "sync" }]);
    expect((await client.search({ query: "Töpferofen" })).hits[0]?.path).toBe("Ofen.md");

    writeFileSync(join(vault, "Brot.md"), "# Brot\n\nSauerteig am Vorabend ansetzen.\n");
    expect(await client.noteChanges(["Brot.md"])).toEqual({ accepted: 1 });
    await vi.waitFor(async () => expect((await client.search({ query: "Sauerteig" })).hits[0]?.path).toBe("Brot.md"), {
      timeout: 20_000,
      interval: 100,
    });

    const events: AskEventLine[] = [];
    for await (const event of client.ask({ question: QUESTION }, new AbortController().signal)) events.push(event);
    expect(events[0]?.type).toBe("started");
    expect(events.flatMap((event) => (event.type === "token" ? event.text : [])).join("")).toContain("日本の窯");
    const last = events.at(-1);
    expect(last?.type === "answered" && last.answer.citations[0]?.path).toBe("Ofen.md");
    expect((await client.conversations()).conversations).toHaveLength(1);

    const synced: string[] = [];
    for await (const event of client.sync({}, new AbortController().signal)) synced.push(event.type);
    expect(synced.at(-1)).toBe("synced");
  });

  test("an abort ends the model's work", async () => {
    // A model server that thinks for ever, and notices when its client goes.
    const working = new Set<object>();
    const model: Server = createServer((request, response) => {
      if (request.url !== "/v1/chat/completions") {
        response.writeHead(404).end();
        return;
      }
      working.add(request);
      response.on("close", () => working.delete(request));
    });
    await new Promise<void>((listening) => model.listen(0, "127.0.0.1", listening));
    vi.stubEnv("ZIBALDONE_ENDPOINTS_CHAT_URL", `http://127.0.0.1:${(model.address() as AddressInfo).port}`);
    try {
      const client = await supervise().connect();
      await vi.waitFor(async () => expect((await client.status()).notes.indexed).toBe(1), { timeout: 20_000 });
      const stop = new AbortController();
      const seen: string[] = [];
      const asking = (async () => {
        for await (const event of client.ask({ question: QUESTION }, stop.signal)) seen.push(event.type);
      })();
      await vi.waitFor(() => expect(working.size).toBe(1), { timeout: 20_000, interval: 20 });
      stop.abort();
      expect(isAbort(await failureOf(asking))).toBe(true);
      await vi.waitFor(() => expect(working.size).toBe(0), { timeout: 5_000, interval: 20 });
      expect(seen).toEqual(["started", "retrieved"]);
      expect((await client.health()).ok).toBe(true);
    } finally {
      vi.stubEnv("ZIBALDONE_ENDPOINTS_CHAT_URL", undefined);
      model.closeAllConnections();
      await new Promise((closed) => model.close(closed));
    }
  });

  test("killed mid-answer: the stream says so, and a new one is there", async () => {
    vi.stubEnv("ZIBALDONE_FAKE_PAUSE_S", "0.2");
    const supervisor = supervise();
    const client = await supervisor.connect();
    await vi.waitFor(async () => expect((await client.status()).notes.indexed).toBe(1), { timeout: 20_000 });
    const { pid } = await client.handshake();
    expect(descendants()).toContain(pid);
    const asking = (async () => {
      for await (const event of client.ask({ question: QUESTION }, new AbortController().signal)) {
        if (event.type === "token") process.kill(pid, "SIGKILL");
      }
    })();
    expect(await failureOf(asking)).toMatchObject({ code: "interrupted", retryable: true });
    const waiting = await reach(supervisor, "waiting");
    expect(waiting.failure.code).toBe("crashed");
    const again = await supervisor.connect();
    expect((await again.handshake()).pid).not.toBe(pid);
    expect(supervisor.state).toMatchObject({ kind: "ready", owned: true });
  });

  test("attaches to the one that runs, leaves it alone, and takes over when it ends", async () => {
    const owner = supervise();
    await owner.connect();
    const second = supervise();
    const client = await second.connect();
    expect(second.state).toMatchObject({ kind: "ready", owned: false });
    const third = supervise();
    await third.connect();
    await third.close();
    expect((await client.health()).ok).toBe(true);
    await vi.waitFor(() => expect(descendants()).toHaveLength(1));

    await owner.close();
    expect((await failureOf(client.health())).code).toBe("unreachable");
    await reach(second, "waiting");
    const own = await second.connect();
    expect(second.state).toMatchObject({ kind: "ready", owned: true });
    expect((await own.health()).ok).toBe(true);
  });

  test("ends when its input closes", async () => {
    let said = "";
    const child = nodeHost().spawn(ZIB, ["--vault", vault, "serve", "--attach", "--stdin-watch", "--json"], {
      stdout: (chunk) => (said += new TextDecoder().decode(chunk)),
      stderr: () => undefined,
    });
    try {
      await vi.waitFor(() => expect(said).toContain("\n"), { timeout: 20_000 });
      expect(descendants()).toContain(child.pid);
    } finally {
      child.closeInput();
    }
    expect(await child.ended).toEqual({ code: 0, signal: null, problem: null });
  });

  test("a path with spaces and letters of all kinds is no shell's business", async () => {
    const odd = mkdtempSync(join(folder, "Ünï $(touch x) & 'code' "));
    symlinkSync(ZIB, join(odd, "zib"));
    await expect(supervise(odd).connect()).resolves.toBeDefined();
  });

  test("none installed", async () => {
    const nowhere = join(folder, "nowhere", "zib");
    expect(await failureOf(supervise(nowhere).connect())).toMatchObject({
      code: "zib_missing",
      message: `There is no program at ${nowhere}.`,
    });
  });

  test("one that cannot be run", async () => {
    const broken = join(folder, "broken");
    writeFileSync(broken, "#!/nowhere/python\n");
    expect(await failureOf(supervise(broken).connect())).toMatchObject({ code: "zib_missing", message: /EACCES/ });
    chmodSync(broken, 0o755);
    expect(await failureOf(supervise(broken).connect())).toMatchObject({ code: "zib_missing", message: /ENOENT/ });
  });

  test("an older protocol", async () => {
    const line = { url: "http://127.0.0.1:1", token_file: "/nowhere", protocol: 0, version: "0.0.9" };
    const [start, end] = [JSON.stringify(line).slice(0, -1), '"pid":'];
    const old = script("old-protocol", `printf '%s,%s%s}\\n' '${start}' '${end}' $$; exec cat >/dev/null`);
    expect(await failureOf(supervise(old).connect())).toMatchObject({
      code: "protocol_mismatch",
      hint: expect.stringMatching(/Update the folder of Zibaldone/) as string,
    });
  });

  test("the port taken", async () => {
    const other = createServer();
    await new Promise<void>((listening) => other.listen(0, "127.0.0.1", listening));
    const { port } = other.address() as AddressInfo;
    vi.stubEnv("ZIBALDONE_SERVER_PORT", String(port));
    const failure = await failureOf(supervise().connect());
    expect(failure).toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining(String(port)) as string,
    });
    expect(failure.hint).not.toBe("");
    vi.stubEnv("ZIBALDONE_SERVER_PORT", undefined);
    await new Promise((closed) => other.close(closed));
  });

  test("one that crashes at its start is tried again, with its last words", async () => {
    const crashing = script("crashing", "echo 'Traceback' >&2; echo 'ImportError: no numpy' >&2; exit 1");
    const supervisor = supervise(crashing);
    void failureOf(supervisor.connect());
    expect((await reach(supervisor, "waiting")).failure).toMatchObject({
      code: "crashed",
      message: "The sidecar ended unexpectedly: ImportError: no numpy",
      details: "Traceback\nImportError: no numpy",
    });
  });

  test("50 times on and off, also during a start: nothing is left", { timeout: 300_000 }, async () => {
    const random = seededRandom(50);
    const before = [descendants().length, ...resources()];
    let ready = 0;
    for (let round = 0; round < 50; round += 1) {
      const supervisor = supervise();
      const connecting = failureOf(supervisor.connect());
      if (round % 5 === 0) await connecting;
      else await sleep(random() * 800);
      if (supervisor.state.kind === "ready") ready += 1;
      // Obsidian does not wait for the old one to end.
      const closing = supervisor.close();
      if (round % 3 === 0) await closing;
      expect(supervisor.state.kind).toBe("stopped");
    }
    await Promise.all(opened.map((supervisor) => supervisor.close()));
    expect(ready).toBeGreaterThanOrEqual(10);
    await vi.waitFor(() => expect([descendants().length, ...resources()]).toEqual(before), { timeout: 10_000 });
  });
});

/** What keeps this process awake for children and timers. Connections that fetch keeps for reuse are its own. */
function resources(): number[] {
  const held = process.getActiveResourcesInfo();
  return ["ProcessWrap", "PipeWrap"].map((kind) => held.filter((one) => one === kind).length).concat(timers.size);
}
