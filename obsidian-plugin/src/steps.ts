/** A long list a stretch at a time, so that drawing it never holds up a key: the rest comes when it is asked for. */
import type { Component } from "obsidian";
import { sayCount } from "./words";

export const STEP = 30;

/** `draw` makes the row of one item in `list`. */
export function showInSteps<T>(
  parent: HTMLElement,
  list: HTMLElement,
  items: readonly T[],
  owner: Component,
  draw: (item: T, list: HTMLElement) => void,
  step = STEP,
): void {
  let shown = 0;
  const more = parent.createEl("button", { cls: "zibaldone-small zibaldone-more", attr: { type: "button" } });
  const go = (): void => {
    const first = list.childElementCount;
    for (const item of items.slice(shown, shown + step)) draw(item, list);
    const focused = more.doc.activeElement === more;
    shown += step;
    const left = items.length - shown;
    more.toggle(left > 0);
    if (left > 0) more.setText(sayCount("steps.more", Math.min(step, left)));
    // Whoever came here by keyboard goes on with what is new.
    if (focused && left <= 0) list.children[first]?.querySelector<HTMLElement>("summary, a, button")?.focus();
  };
  owner.registerDomEvent(more, "click", go);
  go();
}
