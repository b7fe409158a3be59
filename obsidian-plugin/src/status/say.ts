/** The state of sidecar and index in a few words. Pure. */
import type { Status } from "../../../shared-schemas/zibaldone";
import type { SidecarState } from "../sidecar/state";
import { say, sayCount } from "../words";

export function sayState(state: SidecarState): string {
  switch (state.kind) {
    case "stopped":
      return say("state.stopped");
    case "starting":
      return state.attempt > 1 ? say("state.starting.again", { attempt: state.attempt }) : say("state.starting");
    case "ready":
      return say("settings.ready");
    case "waiting":
      return say("state.waiting");
    case "failed":
      return say("state.failed");
  }
}

/** On the button that starts it. */
export function sayRestart(state: SidecarState): string {
  if (state.kind === "waiting") return say("state.retry");
  return say(state.kind === "failed" ? "state.restart" : "state.start");
}

/** For the status bar. */
export function sayBar(state: SidecarState, status: Status | null, leftMs: number | null = null): string {
  switch (state.kind) {
    case "stopped":
      return say("bar.off");
    case "starting":
      return say("bar.starting");
    case "waiting":
    case "failed":
      return say("bar.none");
    case "ready":
      return status ? sayNotes(status, leftMs) : say("bar.starting");
  }
}

function sayNotes(status: Status, leftMs: number | null): string {
  const { sync_state, notes } = status;
  if (sync_state === "paused") return say("bar.paused");
  if (notes.pending > 0 && !lacks(status, "embed")) return sayTimeLeft(say("bar.pending", progressOf(notes)), leftMs);
  return sayCount("bar.ready", notes.indexed);
}

/** For the pane of the index: what is done, what is left, and how long that takes about. */
export function sayProgressOf(status: Status, leftMs: number | null, paused: boolean): string {
  const { notes } = status;
  if (paused) return say("coverage.paused");
  if (notes.pending === 0) return sayIndex(status);
  return lacks(status, "embed") ? sayIndex(status) : sayTimeLeft(say("bar.pending", progressOf(notes)), leftMs);
}

/** With about how long it takes, where that is known. */
export function sayTimeLeft(text: string, leftMs: number | null): string {
  if (leftMs === null) return text;
  const minutes = Math.round(leftMs / 60_000);
  return `${text}, ${minutes < 1 ? say("bar.soon") : sayCount("bar.minutes", minutes)}`;
}

/** For the pane. */
export function sayIndex(status: Pick<Status, "notes" | "models">): string {
  const { notes } = status;
  if (notes.indexed > 0 && lacks(status, "embed")) return sayCount("index.words", notes.indexed);
  if (notes.pending > 0) return say("index.partial", progressOf(notes));
  return notes.indexed === 0 ? say("index.empty") : sayCount("index.ready", notes.indexed);
}

/** A pending note is found by its words already, but not by meaning yet. */
export function progressOf({ indexed, pending }: Status["notes"]): { done: number; total: number } {
  return { done: Math.max(0, indexed - pending), total: indexed };
}

/** Whether no model is there for this role. */
export function lacks({ models }: Pick<Status, "models">, role: "chat" | "embed"): boolean {
  return models[role]?.state === "missing";
}
