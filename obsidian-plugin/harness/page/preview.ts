/** The core plugin "Page preview": a popover for whoever triggers `hover-link`, if its source is registered. */
import type { HoverParent } from "obsidian";
import { MarkdownRenderer } from "./markdown";
import { hoverSources } from "./plugin";
import type { App } from "./types";
import { Component } from "obsidian-test-mocks/obsidian";

export interface Hovered {
  linktext: string;
  sourcePath: string;
  line: number | null;
  source: string;
}

interface Hovering {
  event: MouseEvent;
  source: string;
  hoverParent: HoverParent;
  targetEl: HTMLElement;
  linktext: string;
  sourcePath?: string;
  state?: { scroll?: number };
}

const LINES = 12;
const WIDTH = 450;

/** What was asked for since the page was opened. */
export const hovered: Hovered[] = [];

export function startPreview(app: App): void {
  app.workspace.on("hover-link", (asked: Hovering) => {
    const { linktext, sourcePath = "", source, state } = asked;
    hovered.push({ linktext, sourcePath, source, line: state?.scroll ?? null });
    const known = hoverSources.get(source);
    if (known && (!known.defaultMod || asked.event.ctrlKey)) void show(app, asked);
  });
}

async function show(app: App, { linktext, sourcePath = "", state, targetEl }: Hovering): Promise<void> {
  const [path = ""] = linktext.split("#");
  const file = app.metadataCache.getFirstLinkpathDest(path, sourcePath);
  const { doc } = targetEl;
  doc.querySelector(".hover-popover")?.remove();
  const popover = doc.body.createDiv("popover hover-popover");
  const { left, bottom } = targetEl.getBoundingClientRect();
  popover.setCssProps({
    "--popover-x": `${Math.max(8, Math.min(left, doc.body.clientWidth - WIDTH - 8))}px`,
    "--popover-y": `${bottom + 6}px`,
  });
  targetEl.addEventListener("mouseleave", () => popover.remove(), { once: true });
  if (!file) return popover.setText(`"${path}" is not created yet.`);
  const from = Math.max(0, (state?.scroll ?? 0) - 1);
  const shown = (await app.vault.read(file)).split("\n").slice(from, from + LINES);
  const body = popover.createDiv("markdown-embed-content markdown-rendered");
  const owner = new Component();
  targetEl.addEventListener("mouseleave", () => owner.unload(), { once: true });
  await MarkdownRenderer.render(app, shown.join("\n"), body, file.path, owner);
}
