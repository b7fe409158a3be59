import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { isAbort, SidecarFailure } from "../../src/sidecar/failure";
import { useLanguage } from "../../src/words";
import {
  attaches,
  crashes,
  refuses,
  ScriptedHost,
  serves,
  silent,
  supervise,
  urlOf,
  VAULT,
  ZIB,
  type Owner,
} from "./support";

const kinds = (seen: { kind: string }[]) => seen.map((state) => state.kind);
const failureOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => error) as Promise<SidecarFailure>;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe("a start", () => {
  test("finds zib, starts it, greets it", async () => {
    const host = new ScriptedHost(serves());
    const { supervisor, seen } = supervise(host);
    expect(supervisor.state).toEqual({ kind: "stopped" });
    const client = await supervisor.connect();
    expect(seen).toMatchObject([
      { kind: "starting", attempt: 1 },
      { kind: "ready", client, owned: true, handshake: { vault: VAULT } },
    ]);
    expect(host.last).toMatchObject({
      command: ZIB,
      args: ["--vault", VAULT, "serve", "--attach", "--stdin-watch", "--json"],
      inputClosed: false,
    });
    await supervisor.close();
    expect(host.last).toMatchObject({ alive: false, inputClosed: true, killed: false });
    expect(kinds(seen)).toEqual(["starting", "ready", "stopped"]);
  });

  test("is one, whoever asks and how often", async () => {
    const host = new ScriptedHost(serves());
    const { supervisor } = supervise(host);
    const clients = await Promise.all([supervisor.connect(), supervisor.connect(), supervisor.connect()]);
    clients.push(await supervisor.connect());
    expect(new Set(clients).size).toBe(1);
    expect(host.children).toHaveLength(1);
    await supervisor.close();
  });

  test("does not happen by itself where that is switched off, but when the person asks", async () => {
    const host = new ScriptedHost(serves());
    const { supervisor, seen } = supervise(host, { zibPath: "", startAutomatically: false });
    await expect(supervisor.connect()).rejects.toMatchObject({ code: "not_started" });
    expect([host.children, seen]).toEqual([[], []]);
    await supervisor.restart();
    await expect(supervisor.connect()).resolves.toBeDefined();
    host.last.end({ signal: "SIGKILL" });
    await pass(1_000);
    expect(supervisor.state.kind).toBe("ready");
    await supervisor.close();
  });

  test("reads a line that comes in pieces, after other lines", async () => {
    const host = new ScriptedHost((child, its) => {
      const { line } = its.addOwner(child.pid);
      child.print('Welcome!\n[1, 2]\n{"hello": 1}\n\n');
      for (const character of line) child.print(character);
    });
    const { supervisor } = supervise(host);
    await expect(supervisor.connect()).resolves.toBeDefined();
    await supervisor.close();
  });

  test("takes the vault's real path", async () => {
    const host = new ScriptedHost(serves({ vault: "/mnt/disk/Notes" }));
    host.links.set(VAULT, "/mnt/disk/Notes");
    const { supervisor } = supervise(host);
    await expect(supervisor.connect()).resolves.toBeDefined();
    await supervisor.close();
  });

  test("on Windows owns a child whose pid is a launcher's", async () => {
    const host = new ScriptedHost((child, its) => child.print(its.addOwner(77).line));
    host.platform = "win32";
    host.homeFolder = "C:\\Users\\Ada";
    host.files.set("C:\\Users\\Ada\\.local\\bin\\zib.exe", "");
    const { supervisor } = supervise(host);
    await supervisor.connect();
    expect(supervisor.state).toMatchObject({ kind: "ready", owned: true });
    // It was one that named the owner and ended a moment later.
    host.last.end({ code: 0 });
    await pass(0);
    expect(supervisor.state).toMatchObject({ kind: "ready", owned: false });
    await supervisor.close();
  });
});

describe("a start that fails for good says what to do", () => {
  async function failing(host: ScriptedHost, zibPath = "") {
    const { supervisor, seen } = supervise(host, { zibPath, startAutomatically: true });
    const failure = await failureOf(supervisor.connect());
    expect(kinds(seen)).toEqual(["starting", "failed"]);
    expect(await failureOf(supervisor.connect())).toBe(failure);
    expect([vi.getTimerCount(), host.alive]).toEqual([0, []]);
    await supervisor.close();
    return failure;
  }

  test("no zib", async () => {
    const host = new ScriptedHost();
    host.files.clear();
    expect(await failing(host)).toMatchObject({
      code: "zib_missing",
      message: "The program zib was not found on this computer.",
      hint: expect.stringContaining("`scripts/setup`") as string,
    });
  });

  test("in German too", async () => {
    useLanguage("de");
    const host = new ScriptedHost();
    host.files.clear();
    expect((await failing(host)).message).toBe("Das Programm zib wurde auf diesem Rechner nicht gefunden.");
    useLanguage("en");
  });

  test("a zib that cannot be run, such as one whose Python is gone", async () => {
    const failure = await failing(new ScriptedHost((child) => child.end({ problem: "ENOENT" })));
    expect(failure).toMatchObject({ code: "zib_missing", message: `${ZIB} cannot be started (ENOENT).` });
  });

  test("an older protocol: update zib", async () => {
    const failure = await failing(new ScriptedHost(serves({ protocol: 0 })));
    expect(failure).toMatchObject({
      code: "protocol_mismatch",
      message: "zib is older than this plugin: it speaks protocol 0, the plugin protocol 1.",
      hint: expect.stringMatching(/Update the folder of Zibaldone/) as string,
    });
  });

  test("a newer protocol: update the plugin", async () => {
    const failure = await failing(new ScriptedHost(serves({ protocol: 2 })));
    expect(failure).toMatchObject({
      code: "protocol_mismatch",
      message: "zib is newer than this plugin: it speaks protocol 2, the plugin protocol 1.",
      hint: expect.stringMatching(/^Update the plugin/) as string,
    });
  });

  test("a zib that does not know --attach yet", async () => {
    const usage = "Error: No such option: --attach";
    const failure = await failing(new ScriptedHost(crashes(usage, 2)));
    expect(failure).toMatchObject({ code: "protocol_mismatch", message: expect.stringContaining(usage) as string });
    expect(failure.hint).toMatch(/Update the folder of Zibaldone/);
  });

  test("another vault", async () => {
    const failure = await failing(new ScriptedHost(serves({ vault: "/home/ada/Other" })));
    expect(failure).toMatchObject({
      code: "wrong_vault",
      message: "The sidecar serves another vault: /home/ada/Other",
    });
  });

  test("a taken port, in zib's own words", async () => {
    const words = ["127.0.0.1 port 80 cannot be served: Address already in use.", "Choose another."] as const;
    const failure = await failing(new ScriptedHost(refuses("invalid_request", ...words)));
    expect(failure).toMatchObject({ code: "invalid_request", message: words[0], hint: words[1] });
  });

  test("also after something else was printed", async () => {
    const host = new ScriptedHost((child, its) => {
      child.print('Welcome!\n{"hello": 1}\n');
      refuses("store_newer", "The index was written by a newer version.")(child, its);
    });
    expect(await failing(host)).toMatchObject({ code: "store_newer" });
  });

  test("something that names another machine", async () => {
    const host = new ScriptedHost((child, its) => {
      child.print(its.addOwner(child.pid).line.replace("127.0.0.1", "192.0.2.1"));
    });
    expect(await failing(host)).toMatchObject({ code: "bad_reply" });
    expect(host.requests).toEqual([]);
  });

  test("something else that answers there", async () => {
    const host = new ScriptedHost(serves({ product: "nextcloud" as "zibaldone" }));
    expect(await failing(host)).toMatchObject({ code: "bad_reply" });
  });
});

describe("a start that may succeed later is tried again", () => {
  test("1, 2, 4, 8 s, and after the fifth failure no more", async () => {
    const host = new ScriptedHost(crashes());
    const { supervisor, seen } = supervise(host);
    const connecting = failureOf(supervisor.connect());
    const startedAt: number[] = [];
    for (let second = 0; second <= 60; second += 1) {
      await pass(second === 0 ? 0 : 1_000);
      while (startedAt.length < host.children.length) startedAt.push(second);
    }
    expect(startedAt).toEqual([0, 1, 3, 7, 15]);
    expect(seen.slice(0, 2)).toMatchObject([{ kind: "starting" }, { kind: "waiting", attempt: 2 }]);
    const failure = await connecting;
    expect(failure).toMatchObject({ code: "gave_up", retryable: false });
    expect(failure.message).toContain("No module named 'zibaldone'");
    expect(failure.details).toContain("Traceback");
    await supervisor.close();
  });

  test("until the person asks again", async () => {
    const host = new ScriptedHost(crashes());
    const { supervisor } = supervise(host);
    await Promise.all([failureOf(supervisor.connect()), pass(60_000)]);
    host.script(serves());
    await supervisor.restart();
    expect(supervisor.state.kind).toBe("ready");
    await supervisor.close();
  });

  test("when a request waits for it, that goes on waiting", async () => {
    const host = new ScriptedHost(crashes(), crashes(), serves());
    const { supervisor, seen } = supervise(host);
    const connecting = supervisor.connect();
    await pass(3_000);
    await expect(connecting).resolves.toBeDefined();
    expect(kinds(seen)).toEqual(["starting", "waiting", "starting", "waiting", "starting", "ready"]);
    await supervisor.close();
  });

  test("when another zib command holds the vault, for as long as that takes", async () => {
    const host = new ScriptedHost(refuses("vault_busy", "Another process is at work.", "Wait.", true));
    const { supervisor, seen } = supervise(host);
    const connecting = supervisor.connect();
    await pass(60_000);
    expect(seen.at(-1)).toMatchObject({ kind: "waiting", failure: { code: "busy" }, attempt: 1 });
    expect(host.children).toHaveLength(31);
    host.script(serves());
    await pass(2_000);
    await expect(connecting).resolves.toBeDefined();
    await supervisor.close();
  });

  test("when it never says where it serves", async () => {
    const host = new ScriptedHost(silent, serves());
    const { supervisor, seen } = supervise(host);
    const connecting = supervisor.connect();
    await pass(60_000);
    expect(seen.at(-1)).toMatchObject({
      kind: "waiting",
      failure: { code: "unreachable", message: "The sidecar was not ready within 60 seconds." },
    });
    expect(host.alive).toEqual([]);
    await pass(1_000);
    await expect(connecting).resolves.toBeDefined();
    await supervisor.close();
  });

  test("when it prints rubbish without end", async () => {
    const host = new ScriptedHost((child) => {
      for (let i = 0; i < 200; i += 1) child.print("x".repeat(10_000));
      child.complain("y".repeat(1_000_000));
    }, serves());
    const { supervisor, seen } = supervise(host);
    const connecting = supervisor.connect();
    await pass(60_000);
    const [, waiting] = seen;
    expect(waiting?.kind === "waiting" && waiting.failure.details.length).toBe(64 * 1024);
    await pass(1_000);
    await expect(connecting).resolves.toBeDefined();
    await supervisor.close();
  });

  test("when it never answers", async () => {
    const host = new ScriptedHost((child, its) => {
      const owner = its.addOwner(child.pid);
      owner.mute = true;
      child.print(owner.line);
    }, serves());
    const { supervisor, seen } = supervise(host);
    const connecting = supervisor.connect();
    await pass(10_000);
    expect(seen.at(-1)).toMatchObject({ kind: "waiting", failure: { code: "unreachable" } });
    expect(host.requests).toMatchObject([{ aborted: true }]);
    await pass(1_000);
    await expect(connecting).resolves.toBeDefined();
    await supervisor.close();
  });

  test("when its token is not there", async () => {
    const host = new ScriptedHost((child, its) => {
      child.print(its.addOwner(child.pid).line);
      its.files.clear();
    });
    const { supervisor, seen } = supervise(host);
    const connecting = failureOf(supervisor.connect());
    await pass(0);
    expect(seen.at(-1)).toMatchObject({
      kind: "waiting",
      failure: { code: "unreachable", message: expect.stringContaining("/4000/token") as string },
    });
    expect(host.requests).toEqual([]);
    await supervisor.close();
    expect(await connecting).toMatchObject({ code: "not_started" });
  });

  test("when it dies between its line and the greeting, with its last words", async () => {
    const host = new ScriptedHost((child, its) => {
      child.print(its.addOwner(child.pid).line);
      its.owners.clear();
      crashes("MemoryError")(child, its);
    }, serves());
    const { supervisor, seen } = supervise(host);
    const connecting = supervisor.connect();
    await pass(1_000);
    expect(seen[1]).toMatchObject({
      failure: { code: "crashed", message: expect.stringContaining("MemoryError") as string },
    });
    await connecting;
    await supervisor.close();
  });
});

describe("a sidecar that is gone is started again", () => {
  test("when the child dies", async () => {
    const host = new ScriptedHost(serves());
    const { supervisor, seen } = supervise(host);
    const first = await supervisor.connect();
    host.last.complain("some log\n");
    host.last.end({ signal: "SIGKILL" });
    await pass(0);
    expect(seen.at(-1)).toMatchObject({ kind: "waiting", failure: { code: "crashed", details: "some log" } });
    const again = supervisor.connect();
    await pass(1_000);
    expect(await again).not.toBe(first);
    expect(kinds(seen)).toEqual(["starting", "ready", "waiting", "starting", "ready"]);
    await supervisor.close();
  });

  test("but not for ever when it always dies", async () => {
    const host = new ScriptedHost((child, its) => {
      serves()(child, its);
      window.setTimeout(() => child.end({ signal: "SIGSEGV" }), 500);
    });
    const { supervisor } = supervise(host);
    await supervisor.connect();
    await pass(10 * 60_000);
    expect(supervisor.state).toMatchObject({ kind: "failed", failure: { code: "gave_up" } });
    expect(host.children).toHaveLength(5);
    await supervisor.close();
  });

  test("when it hangs: a request that fails has it asked, and it is ended", async () => {
    const host = new ScriptedHost(serves());
    const { supervisor, seen } = supervise(host);
    const client = await supervisor.connect();
    const [child] = host.children;
    const [owner] = host.owners.values();
    if (!child || !owner) throw new Error("Nothing was started.");
    owner.mute = true;
    child.obeys = false;
    const request = failureOf(client.jobs());
    await pass(180_000);
    expect((await request).code).toBe("unreachable");
    await pass(10_500);
    expect(seen.at(-1)).toMatchObject({ kind: "waiting", failure: { code: "unreachable" } });
    expect(child.inputClosed).toBe(true);
    // The next start waits until the vault is free.
    await pass(5_999);
    expect([child.killed, host.children.length]).toEqual([false, 1]);
    await pass(1);
    expect([child.killed, host.children.length, supervisor.state.kind]).toEqual([true, 2, "ready"]);
    await supervisor.close();
  });

  test("a request that fails while the sidecar is well changes nothing", async () => {
    const host = new ScriptedHost(serves());
    const fetch: typeof window.fetch = (url, init) =>
      urlOf(url).endsWith("/v1/jobs") ? Promise.reject(new TypeError("Failed to fetch")) : host.fetch(url, init);
    const { supervisor, seen } = supervise(host, undefined, { fetch });
    const client = await supervisor.connect();
    expect(await failureOf(client.jobs())).toMatchObject({ code: "unreachable" });
    await pass(100);
    expect(host.requests).toHaveLength(2);
    expect(kinds(seen)).toEqual(["starting", "ready"]);
    await supervisor.close();
  });

  test("when the owner that it attached to leaves; then it is ours", async () => {
    let owner: Owner | undefined;
    const host = new ScriptedHost((child, its) => attaches(() => (owner ??= its.addOwner(99)))(child, its), serves());
    const { supervisor, seen } = supervise(host);
    const client = await supervisor.connect();
    await pass(0);
    expect(supervisor.state).toMatchObject({ kind: "ready", owned: false });
    expect(host.alive).toEqual([]);
    host.owners.clear();
    await failureOf(client.jobs());
    await pass(0);
    expect(seen.at(-1)).toMatchObject({ kind: "waiting", failure: { code: "unreachable" } });
    await pass(1_000);
    expect(supervisor.state).toMatchObject({ kind: "ready", owned: true });
    await supervisor.close();
    expect(host.alive).toEqual([]);
  });

  test("when another one, with another token, serves at the same place", async () => {
    let owner: Owner | undefined;
    const host = new ScriptedHost((child, its) => attaches(() => (owner ??= its.addOwner(99)))(child, its), serves());
    const { supervisor } = supervise(host);
    const client = await supervisor.connect();
    if (owner) owner.token = "new";
    expect((await failureOf(client.jobs())).code).toBe("unauthorized");
    await pass(0);
    await pass(1_000);
    expect(supervisor.state).toMatchObject({ kind: "ready", owned: true });
    await supervisor.close();
  });

  test("what an old client says does not matter any more", async () => {
    const host = new ScriptedHost(serves());
    const { supervisor, seen } = supervise(host);
    const old = await supervisor.connect();
    await supervisor.restart();
    const before = seen.length;
    expect((await failureOf(old.jobs())).code).toBe("unreachable");
    await pass(60_000);
    expect(seen).toHaveLength(before);
    await supervisor.close();
  });
});

describe("restart", () => {
  test("ends the old one before it starts the new one", async () => {
    const host = new ScriptedHost(serves());
    const { supervisor, seen } = supervise(host);
    await supervisor.connect();
    host.last.obeys = false;
    const restarting = supervisor.restart();
    await pass(5_000);
    expect([host.children.length, supervisor.state.kind]).toEqual([1, "starting"]);
    await pass(1_000);
    await restarting;
    expect(host.alive).toHaveLength(1);
    expect(kinds(seen)).toEqual(["starting", "ready", "starting", "ready"]);
    await supervisor.close();
  });

  test("during a start and a pause: who waits is served", async () => {
    const host = new ScriptedHost(silent, crashes(), serves());
    const { supervisor } = supervise(host);
    const connecting = supervisor.connect();
    await pass(100);
    const first = supervisor.restart();
    await pass(100);
    expect(supervisor.state.kind).toBe("waiting");
    const second = supervisor.restart();
    await Promise.all([first, second, connecting]);
    expect([host.children.length, host.alive.length]).toEqual([3, 1]);
    await supervisor.close();
  });

  test("does not throw when it fails, and takes new settings", async () => {
    const host = new ScriptedHost(serves());
    const settings = { zibPath: "/nowhere", startAutomatically: true };
    const { supervisor } = supervise(host, settings);
    await supervisor.restart();
    expect(supervisor.state).toMatchObject({ kind: "failed", failure: { code: "zib_missing" } });
    settings.zibPath = ZIB;
    await supervisor.restart();
    expect(supervisor.state.kind).toBe("ready");
    await supervisor.close();
  });
});

describe("close", () => {
  const states: [string, (supervised: ReturnType<typeof supervise>, host: ScriptedHost) => Promise<unknown>][] = [
    ["stopped", () => Promise.resolve()],
    ["starting, before anything runs", ({ supervisor }) => (void failureOf(supervisor.connect()), Promise.resolve())],
    [
      "starting, while zib says nothing",
      ({ supervisor }, host) => {
        host.script(silent);
        void failureOf(supervisor.connect());
        return pass(10);
      },
    ],
    [
      "starting, while it is being greeted",
      ({ supervisor }, host) => {
        host.script((child, its) => {
          serves()(child, its);
          for (const owner of its.owners.values()) owner.mute = true;
        });
        void failureOf(supervisor.connect());
        return pass(10);
      },
    ],
    ["ready", ({ supervisor }) => supervisor.connect()],
    [
      "waiting",
      ({ supervisor }, host) => {
        host.script(crashes());
        void failureOf(supervisor.connect());
        return pass(10);
      },
    ],
    [
      "failed",
      ({ supervisor }, host) => {
        host.files.clear();
        return failureOf(supervisor.connect());
      },
    ],
    [
      "starting again",
      async ({ supervisor }) => {
        await supervisor.connect();
        void supervisor.restart();
      },
    ],
  ];

  test.each(states)("while %s: no process, timer or waiting request is left", async (_, reach) => {
    const host = new ScriptedHost(serves());
    const supervised = supervise(host);
    await reach(supervised, host);
    const waiting = ["starting", "waiting"].includes(supervised.supervisor.state.kind)
      ? failureOf(supervised.supervisor.connect())
      : null;
    const started = host.children.length;
    await Promise.all([supervised.supervisor.close(), supervised.supervisor.close()]);
    expect([host.alive, vi.getTimerCount(), supervised.supervisor.state]).toEqual([[], 0, { kind: "stopped" }]);
    if (waiting) expect(await waiting).toMatchObject({ code: "not_started" });
    const seen = supervised.seen.length;

    // Nothing comes back to life.
    expect(await failureOf(supervised.supervisor.connect())).toMatchObject({ code: "not_started" });
    await supervised.supervisor.restart();
    await supervised.supervisor.close();
    await pass(60_000);
    expect([host.children.length, supervised.seen.length]).toEqual([started, seen]);
  });

  test("kills a child that does not end, by its handle, and does not wait for ever", async () => {
    const host = new ScriptedHost(serves());
    const { supervisor } = supervise(host);
    await supervisor.connect();
    const child = host.last;
    child.obeys = false;
    child.kill = () => void (child.killed = true); // as one that the system holds
    let closed = false;
    const closing = supervisor.close().then(() => (closed = true));
    await pass(6_000);
    expect([child.killed, closed]).toEqual([true, false]);
    await pass(2_000);
    await closing;
    child.end({ signal: "SIGKILL" });
  });

  test("50 times, at any moment of a start", async () => {
    for (let round = 0; round < 50; round += 1) {
      const host = new ScriptedHost(serves());
      const { supervisor } = supervise(host);
      const connecting = failureOf(supervisor.connect());
      for (let step = 0; step < round; step += 1) await Promise.resolve();
      await supervisor.close();
      await connecting;
      expect(host.alive).toEqual([]);
    }
  });
});

test("a connect that nobody wants any more leaves nothing; the start goes on for others", async () => {
  const host = new ScriptedHost(silent);
  const { supervisor } = supervise(host);
  const wish = new AbortController();
  const unwanted = failureOf(supervisor.connect(wish.signal));
  const wanted = supervisor.connect();
  await pass(10);
  wish.abort();
  expect(isAbort(await unwanted)).toBe(true);
  expect(isAbort(await failureOf(supervisor.connect(wish.signal)))).toBe(true);
  serves()(host.last, host);
  await expect(wanted).resolves.toBeDefined();
  await supervisor.close();
});

test("a connect that was served leaves nothing at its signal", async () => {
  const { supervisor } = supervise(new ScriptedHost(serves()));
  const { signal } = new AbortController();
  const [added, removed] = [vi.spyOn(signal, "addEventListener"), vi.spyOn(signal, "removeEventListener")];
  await supervisor.connect(signal);
  expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([1, 1]);
  await supervisor.close();
});

test("a listener that has left is not called", async () => {
  const host = new ScriptedHost(serves());
  const { supervisor } = supervise(host);
  const listener = vi.fn();
  supervisor.subscribe(listener)();
  await supervisor.connect();
  expect(listener).not.toHaveBeenCalled();
  await supervisor.close();
});

test("zib that was found is known, for commands to type", async () => {
  const { supervisor } = supervise(new ScriptedHost(serves()));
  expect(supervisor.program).toBeNull();
  await supervisor.connect();
  expect(supervisor.program).toBe(ZIB);
  await supervisor.close();
});

test.each([126, 127])("exit code %i: zib is broken, and the advice is to install it again", async (code) => {
  const host = new ScriptedHost(crashes("sh: 1: exec: /gone/python: not found", code));
  const { supervisor } = supervise(host);
  const failure = await failureOf(supervisor.connect());
  expect(failure.code).toBe("zib_missing");
  expect(failure.message).toBe(`${ZIB} cannot be started (exit code ${code}).`);
  expect(failure.hint).toContain("`scripts/setup`");
  expect(host.children).toHaveLength(1);
  await supervisor.close();
});

test("another running sidecar of another protocol: that one is to be stopped", async () => {
  const host = new ScriptedHost();
  const other = host.addOwner(77, { protocol: 0 });
  host.script(attaches(() => other));
  const { supervisor } = supervise(host);
  const failure = await failureOf(supervisor.connect());
  expect(failure.code).toBe("protocol_mismatch");
  expect(failure.message).toContain("running already (process 77)");
  expect(failure.hint).toContain("Stop that one");
  await supervisor.close();
});

test("a stream that broke since the sidecar was killed says so", async () => {
  const host = new ScriptedHost(serves());
  const { supervisor } = supervise(host);
  const client = await supervisor.connect();
  const broken = new SidecarFailure("interrupted", "It ended.", "", true);
  expect(await supervisor.explain(broken)).toBe(broken);
  host.last.end({ signal: "SIGKILL" });
  const lost = await failureOf(client.ask({ question: "a" }, new AbortController().signal).next());
  expect(lost.code).toBe("unreachable");
  expect((await supervisor.explain(broken)).message).toContain("it was killed, most often for lack of memory");
  await supervisor.close();
});
