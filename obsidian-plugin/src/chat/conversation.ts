/**
 * One conversation: its turns, what is being written, and the request that runs. Knows no screen, so that it goes on
 * while the pane moves to another window. One question may wait while one is answered.
 */
import { asFailure } from "../failure";
import type { SidecarClient } from "../sidecar/client";
import { isAbort, SidecarFailure } from "../sidecar/failure";
import { Limits } from "./limits";
import { restoreTurns } from "./restore";
import { moveScope, writeScope } from "./scope";
import { Silence } from "./silence";
import { advance, beginTurn, failTurn, isOver, lacksNote, stopTurn, type Noted, type Turn } from "./turn";

let turnsBegun = 0;

export class Conversation {
  /** What stands in the composer. */
  draft = "";
  /** What the next question is limited to. */
  readonly limits = new Limits(() => this.changed());
  /** The sidecar's name for it, from the first turn on. */
  private name: string | null = null;
  private list: Turn[] = [];
  private stopper: AbortController | null = null;
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly connect: (signal: AbortSignal) => Promise<SidecarClient>,
    /** Why a stream broke, where more is known than that. */
    private readonly explain: (failure: SidecarFailure) => Promise<SidecarFailure> = async (failure) => failure,
  ) {}

  get turns(): readonly Turn[] {
    return this.list;
  }

  get id(): string | null {
    return this.name;
  }

  get running(): boolean {
    return this.stopper !== null;
  }

  /** Whether one question is answered and another one waits. */
  get full(): boolean {
    return this.list.at(-1)?.phase === "queued";
  }

  /** The note that the next question is limited to, where it is to one alone. */
  get about(): string | null {
    const [only, more] = this.limits.scopes;
    return only?.kind === "note" && !more ? only.name : null;
  }

  set about(path: string | null) {
    this.limits.scopes = path === null ? [] : [{ kind: "note", name: path }];
  }

  /** A file or folder of the vault has another path now. */
  noteRenamed(from: string, to: string): void {
    this.limits.renamed(from, to);
    const waiting = this.full ? this.list.at(-1) : undefined;
    if (!waiting) return;
    this.list[this.list.length - 1] = { ...waiting, scopes: waiting.scopes.map((one) => moveScope(one, from, to)) };
    this.changed();
  }

  /** A file or folder of the vault was deleted, or (`there`) made again. */
  noteVanished(path: string, there = false): void {
    this.limits.vanished(path, there);
  }

  /** Whether `question` was taken. */
  ask(question: string, scopes = this.limits.scopes, after: number | null = null): boolean {
    const text = question.trim();
    if (text === "" || this.full) return false;
    this.list.push(beginTurn(turnsBegun++, text, scopes, this.running ? "queued" : "connecting"));
    if (!this.running) void this.run(this.list, this.list.length - 1, after);
    this.changed();
    return true;
  }

  /** The question of a turn that came to nothing, once more: in its place if it is the last. */
  retry(turn: Turn, scopes = turn.scopes): void {
    if (this.list.at(-1)?.id !== turn.id || !this.again(turn, turn.question, scopes)) this.ask(turn.question, scopes);
  }

  /**
   * Asks in the place of a turn, which goes, with all that follow it. The sidecar replaces a last turn; with more than
   * that it keeps the conversation as it was, and this is another one from here on. Whether the question was taken.
   */
  again(turn: Turn, question = turn.question, scopes = turn.scopes): boolean {
    const at = this.list.findIndex(({ id }) => id === turn.id);
    if (at < 0 || this.running || question.trim() === "") return false;
    this.list = this.list.slice(0, at);
    return this.ask(question, scopes, this.list.filter(({ kept }) => kept).length);
  }

  /** Once more, and from now on, of all notes. */
  askAll(turn: Turn): void {
    this.about = null;
    this.retry(turn, []);
  }

  /** Takes back the question that waits, into the composer if that is empty. */
  takeBack(): void {
    const waiting = this.full ? this.list.pop() : undefined;
    if (waiting && this.draft.trim() === "") this.draft = waiting.question;
    this.changed();
  }

  /** What became of the entry `index` that a turn took into the memory. */
  settle({ id }: Turn, index: number, noted: Noted): void {
    const at = this.list.findIndex((turn) => turn.id === id);
    const turn = this.list[at];
    if (!turn) return;
    this.list[at] = { ...turn, noted: turn.noted.map((one, place) => (place === index ? noted : one)) };
    this.changed();
  }

  /** Ends the running answer; the sidecar stops computing. */
  stop(): void {
    this.stopper?.abort();
  }

  startNew(): void {
    this.list = [];
    this.name = null;
    this.about = null;
    this.stop();
    this.stopper = null;
    this.changed();
  }

  /** Goes on with a saved conversation, unless another was begun. Throws as the client does; then this one stays. */
  async open(id: string, signal: AbortSignal): Promise<void> {
    const { list } = this;
    const count = list.length;
    const client = await this.connect(signal);
    const saved = await client.conversation(id, signal);
    if (this.list !== list || list.length !== count) return;
    this.startNew();
    this.name = saved.id;
    this.list = restoreTurns(saved.messages, () => turnsBegun++);
    this.changed();
  }

  /** Returns the function that ends it. With the last listener the running answer ends, too: nobody would see it. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.stop();
    };
  }

  private async run(list: Turn[], index: number, after: number | null = null): Promise<void> {
    const stopper = (this.stopper = new AbortController());
    const now = (): Turn => list[index] as Turn;
    let silence: Silence | null = null;
    const become = (next: Turn): void => {
      list[index] = next;
      this.changed();
    };
    try {
      const client = await this.connect(stopper.signal);
      const tell = (silent: boolean) => become({ ...now(), silent });
      silence = new Silence((signal) => client.handshake(signal), tell);
      const { question, scopes } = now();
      const request = { question, within: scopes.map(writeScope), conversation_id: this.name, after_turns: after };
      for await (const event of client.ask(request, stopper.signal)) {
        silence.broken();
        if (event.type === "started" && list === this.list) this.name = event.conversation_id;
        become(advance(now().silent ? { ...now(), silent: false } : now(), event));
      }
      become(stopTurn(now()));
    } catch (error) {
      silence?.end();
      const failure = error instanceof SidecarFailure ? await this.explain(error) : asFailure(error);
      become(isAbort(error) ? stopTurn(now()) : failTurn(now(), failure));
    } finally {
      silence?.end();
    }
    if (this.stopper !== stopper) return; // another conversation began
    // The conversation was deleted; the next question begins it anew.
    if (now().failure?.code === "not_found" && !lacksNote(now())) this.name = null;
    this.stopper = null;
    const next = list[index + 1];
    if (next && !isOver(next)) {
      list[index + 1] = { ...next, phase: "connecting" };
      void this.run(list, index + 1);
    }
    this.changed();
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}
