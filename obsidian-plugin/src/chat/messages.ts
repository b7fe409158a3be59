/**
 * The turns on the screen. The last ones are drawn at once and the earlier ones above them a few a frame, so that a long
 * conversation opens as quickly as a short one; then a frame costs what the turns that changed cost.
 */
import type { Component } from "obsidian";
import type { Message } from "./message";
import type { Turn } from "./turn";

const FIRST = 4;
/** Of a frame of 16 ms; the rest is the browser's. */
const SLICE_MS = 6;

export class Messages {
  /** Those of the last turns, in order; `missing` turns before them have none yet. */
  private shown: Message[] = [];
  private missing = 0;

  constructor(
    private readonly owner: Component,
    private readonly make: (turn: Turn, next: Node | null) => Message,
  ) {}

  get last(): Message | null {
    return this.shown.at(-1) ?? null;
  }

  /** Whether earlier turns are still to be drawn: then it is to be called again. */
  update(turns: readonly Turn[]): boolean {
    const began = performance.now();
    let kept = 0;
    while (kept < this.shown.length && this.shown[kept]?.id === turns[this.missing + kept]?.id) kept++;
    for (const message of this.shown.splice(kept)) this.owner.removeChild(message);
    if (kept === 0) this.missing = Math.max(0, turns.length - FIRST);
    for (let at = this.missing; at < turns.length; at++) {
      const turn = turns[at];
      if (turn) (this.shown[at - this.missing] ??= this.add(turn, null)).update(turn);
    }
    while (this.missing > 0 && performance.now() - began < SLICE_MS) {
      const turn = turns[--this.missing];
      if (!turn) continue;
      const message = this.add(turn, this.shown[0]?.el ?? null);
      this.shown.unshift(message);
      message.update(turn);
    }
    return this.missing > 0;
  }

  private add(turn: Turn, next: Node | null): Message {
    return this.owner.addChild(this.make(turn, next));
  }
}
