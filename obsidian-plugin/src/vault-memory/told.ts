/** What is told of the memory of the vault, in words and figures. Pure. */
import type {
  DriftingNode,
  DriftWindowShown,
  FadingNode,
  MemoryStats,
  NodeEvidence,
  TimelineNode,
} from "../../../shared-schemas/zibaldone";
import type { Sourced } from "../chat/source/kind";
import { sayTimeLeft } from "../status/say";
import { say, sayCount, sayDate, sayShare } from "../words";

const DAY_MS = 86_400_000;
const IMAGE = /\.(?:png|jpe?g|webp|gif|bmp|tiff?|svg|avif)$/i;

export interface Month {
  /** `2026-03`; empty for what is on no known day. */
  readonly month: string;
  readonly events: number;
  /** The newest first. */
  readonly episodes: readonly TimelineNode[];
}

/** By the month in which an episode began, the newest first, what has no day at the end. */
export function listMonths(episodes: readonly TimelineNode[]): Month[] {
  const months = new Map<string, TimelineNode[]>();
  for (const one of episodes) {
    const month = one.start?.slice(0, 7) ?? "";
    months.set(month, [one, ...(months.get(month) ?? [])]);
  }
  return [...months]
    .sort(([a], [b]) => b.localeCompare(a))
    .map(([month, its]) => ({ month, events: its.reduce((sum, { events }) => sum + events.length, 0), episodes: its }));
}

/** "2 Mar 2026 – 4 Mar 2026"; empty where no day is known. */
export function saySpan(first: string | null, last: string | null): string {
  if (first === null || last === null || first === last) return first === null ? "" : sayDate(first);
  return say("vaultMemory.span", { first: sayDate(first), last: sayDate(last) });
}

/** How far the reading is: "412 of 3,176 sources, about 2 min". */
export function sayStats(stats: MemoryStats): string {
  const { state, sources, left, seconds_left: seconds } = stats;
  const counts = { done: Math.max(0, sources - left), total: sources };
  if (state === "paused") return say("vaultMemory.paused", counts);
  if (stats.built_at === null && state === "idle") return sayCount("vaultMemory.unbuilt", sources);
  if (left > 0) return sayTimeLeft(say("vaultMemory.progress", counts), seconds === null ? null : seconds * 1000);
  if (state === "building") return say("vaultMemory.building");
  const parts = [
    sayCount("vaultMemory.events", stats.events),
    sayCount("vaultMemory.episodes", stats.episodes),
    sayCount("vaultMemory.concepts", stats.concepts),
  ];
  return `${sayCount("vaultMemory.read", sources)} ${parts.join(", ")}`;
}

export function sayOverall({ overall_drift: moved, windows }: DriftingNode): string {
  if (windows.length < 2) return say("vaultMemory.drift.alone");
  return sayMoved(moved);
}

/** What one window was, beside the one before it; `first` has none before. */
export function sayWindow({ start, end, drift, expected, support }: DriftWindowShown, first: boolean): string {
  const moved = first ? say("vaultMemory.drift.first") : sayMoved(drift - expected);
  return `${saySpan(start, end)}: ${sayCount("vaultMemory.events", support)}, ${moved}`;
}

/** How far beyond chance, in whole per cent. */
function sayMoved(beyond: number): string {
  const moved = Math.round(beyond * 100) > 0;
  return moved ? say("vaultMemory.drift.moved", { share: sayShare(beyond) }) : say("vaultMemory.drift.still");
}

/** `now` is in milliseconds. */
export function sayTouched({ last_touched: day }: Pick<FadingNode, "last_touched">, now: number): string {
  if (day === null) return say("vaultMemory.touched.never");
  const days = Math.max(0, Math.floor((now - Date.parse(day)) / DAY_MS));
  return sayCount("vaultMemory.touched", days, { day: sayDate(day) });
}

/** A passage's own words as a source, as citations are. */
export function sourceOf(evidence: NodeEvidence): Sourced {
  return { ...evidence, heading: [], commit: null, modality: modalityOf(evidence) };
}

function modalityOf({ path, locator, page }: NodeEvidence): Sourced["modality"] {
  if (page !== null) return "pdf";
  if (path.endsWith(".canvas")) return "canvas";
  if (IMAGE.test(path)) return "image";
  return path.endsWith(".md") || locator.startsWith("L") ? "text" : "document";
}

export interface Point {
  /** 0 to 1, over the whole time. */
  readonly x: number;
  /** 0 to 1. */
  readonly y: number;
}

/** The drift of the windows as a line over their time. */
export function lineOf(windows: readonly DriftWindowShown[]): Point[] {
  const [from, to] = [dayOf(windows[0]?.start), dayOf(windows.at(-1)?.start)];
  return windows.map(({ start, drift }) => ({
    x: to > from ? (dayOf(start) - from) / (to - from) : 0.5,
    y: Math.min(1, Math.max(0, drift)),
  }));
}

function dayOf(day: string | undefined): number {
  return Date.parse(day ?? "1970-01-01") / DAY_MS;
}
