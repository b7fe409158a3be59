/** A sidecar that answers with the golden examples, and a supervisor whose state the test sets. */
import type { AskEventLine, AskRequest, Status } from "../../../shared-schemas/zibaldone";
import type { SidecarClient } from "../../src/sidecar/client";
import type { SidecarState } from "../../src/sidecar/state";
import { example } from "./examples";

type Method<K extends keyof SidecarClient> = SidecarClient[K];

export interface FakeClient {
  status: Method<"status">;
  config: Method<"config">;
  search: Method<"search">;
  noteChanges: Method<"noteChanges">;
  remember: Method<"remember">;
  memory: Method<"memory">;
  editMemory: Method<"editMemory">;
  forgetMemory: Method<"forgetMemory">;
  keepMemory: Method<"keepMemory">;
  undo: Method<"undo">;
  agenda: Method<"agenda">;
  ask: Method<"ask">;
  sync: Method<"sync">;
}

/** Only what a test gives it can be asked. */
export function fakeClient(methods: Partial<FakeClient> = {}): SidecarClient {
  return { status: async () => example<Status>("Status.typical"), ...methods } as unknown as SidecarClient;
}

export function ready(client: SidecarClient = fakeClient(), owned = true): SidecarState {
  return { kind: "ready", client, owned, handshake: example("Handshake.typical") };
}

export class FakeSupervisor {
  restarts = 0;
  private readonly listeners = new Set<(state: SidecarState) => void>();

  constructor(public state: SidecarState = { kind: "stopped" }) {}

  become(state: SidecarState): void {
    this.state = state;
    for (const listener of this.listeners) listener(state);
  }

  subscribe(listener: (state: SidecarState) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  async restart(): Promise<void> {
    this.restarts++;
  }

  get listening(): number {
    return this.listeners.size;
  }
}

/** A stream of events that the test lets go on, one by one or to its end. */
export class Script {
  readonly requests: AskRequest[] = [];
  aborted = false;
  private readonly queue: (AskEventLine | Error)[] = [];
  private wake: () => void = () => undefined;

  give(...names: string[]): void {
    this.push(...names.map((name) => example<AskEventLine>(`AskEventLine.${name}`)));
  }

  push(...events: (AskEventLine | Error)[]): void {
    this.queue.push(...events);
    this.wake();
  }

  readonly ask = async function* (this: Script, request: AskRequest, signal: AbortSignal) {
    this.requests.push(request);
    signal.addEventListener("abort", () => {
      this.aborted = true;
      this.wake();
    });
    for (;;) {
      if (signal.aborted) throw Object.assign(new Error("Aborted."), { name: "AbortError" });
      const event = this.queue.shift();
      if (event instanceof Error) throw event;
      if (event) yield event;
      if (event && ["answered", "failed", "cancelled"].includes(event.type)) return;
      if (!event) await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }.bind(this);
}

/** Until everything that is under way has happened, without waiting for time. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
