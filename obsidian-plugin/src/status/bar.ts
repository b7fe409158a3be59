/** The words in the status bar. A click shows the whole status. */
import type { Component } from "obsidian";
import type { SidecarState } from "../sidecar/state";
import { say } from "../words";
import { sayBar } from "./say";
import type { StatusWatch } from "./watch";

export function watchBar(
  el: HTMLElement,
  owner: Component,
  state: () => SidecarState,
  watch: StatusWatch,
  open: () => void,
): void {
  el.addClass("mod-clickable", "zibaldone-status-bar");
  el.setAttrs({ role: "button", tabindex: "0", "aria-label": say("bar.tooltip"), "data-tooltip-position": "top" });
  const show = (): void => el.setText(sayBar(state(), watch.last, watch.pace.left));
  owner.registerDomEvent(el, "click", open);
  owner.registerDomEvent(el, "keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") open();
  });
  owner.register(watch.subscribe(show));
  show();
}
