/** Bars and lines, drawn as SVG whose looks are the theme's. What they show stands beside them in words. */
import type { Point } from "./told";

/** A bar that is filled to `share` (0 to 1). */
export function showBar(parent: HTMLElement, share: number): void {
  const attr = { viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" };
  const svg = parent.createSvg("svg", { cls: "zibaldone-bar", attr });
  svg.createSvg("rect", { cls: "zibaldone-bar-room", attr: { width: "100", height: "6" } });
  const width = String(Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10);
  svg.createSvg("rect", { cls: "zibaldone-bar-full", attr: { width, height: "6" } });
}

const [WIDTH, HEIGHT, EDGE] = [300, 32, 4] as const;

/** A line through `points`, with a dot at each. */
export function showLine(parent: HTMLElement, points: readonly Point[], label: string): void {
  const attr = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label };
  const svg = parent.createSvg("svg", { cls: "zibaldone-line", attr });
  const at = points.map(({ x, y }) => ({
    x: EDGE + x * (WIDTH - 2 * EDGE),
    y: HEIGHT - EDGE - y * (HEIGHT - 2 * EDGE),
  }));
  const text = at.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  svg.createSvg("polyline", { attr: { points: text } });
  for (const { x, y } of at) svg.createSvg("circle", { attr: { cx: x.toFixed(1), cy: y.toFixed(1), r: "2.5" } });
}
