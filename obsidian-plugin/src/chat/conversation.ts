/**
 * One conversation: its turns, what is being written, and the request that runs. Knows no screen, so that it goes on
 * while the pane moves to another window. One question may wait while one is answered.
 */
import { asFailure } from "../failure";
import type { SidecarClient } from "../sidecar/client";
import { isAbort, SidecarFailure } from "../sidecar/failure";
import { Silence } from "./silence";
import { advance, beginTurn, failTurn, isOver, lacksNote, stopTurn, type Noted, type Turn } from "./turn";

let turnsBegun = 0;

export class Conversation {
  /** What stands in the composer. */
  draft = "";
  /** The sidecar's name for it, from the first turn on. */
  private id: string | null = null;
  private list: Turn[] = [];
  private limit: string | null = null;
  private gone = false;
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

  get running(): boolean {
    return this.stopper !== null;
  }

  /** Whether one question is answered and another one waits. */
  get full(): boolean {
    return this.list.at(-1)?.phase === "queued";
  }

  /** The note that the next question is limited to. */
  get about(): string | null {
    return this.limit;
  }

  set about(path: string | null) {
    this.limit = path;
    this.gone = false;
    this.changed();
  }

  /** Whether that note was deleted meanwhile. */
  get aboutGone(): boolean {
    return this.gone;
  }

  /** A note of the vault has another path now. */
  noteRenamed(from: string, to: string): void {
    if (this.limit === from) this.limit = to;
    const last = this.list.length - 1;
    const waiting = this.full ? this.list[last] : undefined;
    if (waiting?.about === from) this.list[last] = { ...waiting, about: to };
    this.changed();
  }

  /** A note of the vault was deleted, or (`there`) made again. */
  noteVanished(path: string, there = false): void {
    if (this.limit !== path) return;
    this.gone = !there;
    this.changed();
  }

  /** Whether `question` was taken. */
  ask(question: string, about: string | null = this.limit): boolean {
    const text = question.trim();
    if (text === "" || this.full) return false;
    this.list.push(beginTurn(turnsBegun++, text, about, this.running ? "queued" : "connecting"));
    if (!this.running) void this.run(this.list, this.list.length - 1);
    this.changed();
    return true;
  }

  /** The question of a turn that came to nothing, once more: in its place if it is the last. */
  retry(turn: Turn, about = turn.about): void {
    if (this.full) return;
    if (this.list.at(-1)?.id === turn.id) this.list.pop();
    this.ask(turn.question, about);
  }

  /** Once more, and from now on, of all notes. */
  askAll(turn: Turn): void {
    this.about = null;
    this.retry(turn, null);
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
    this.id = null;
    this.about = null;
    this.stop();
    this.stopper = null;
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

  private async run(list: Turn[], index: number): Promise<void> {
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
      const { question, about } = now();
      const request = { question, note_path: about, conversation_id: this.id };
      for await (const event of client.ask(request, stopper.signal)) {
        silence.broken();
        if (event.type === "started" && list === this.list) this.id = event.conversation_id;
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
    if (now().failure?.code === "not_found" && !lacksNote(now())) this.id = null;
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
