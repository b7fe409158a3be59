/** The lists of the pane: concepts, months, drift, and what is slipping away. */
import type {
  ConceptNode,
  DriftingNode,
  FadingNode,
  NodeEvidence,
  RelearnedShown,
  TimelineNode,
} from "../../../shared-schemas/zibaldone";
import { showInSteps } from "../steps";
import { say, sayCount, sayDate, sayMonth, sayShare, type Key } from "../words";
import { showBar, showLine } from "./marks";
import { lead, showNode, type NodeContext } from "./node";
import { lineOf, listMonths, saySpan, sayOverall, sayTouched, sayWindow, type Month } from "./told";

export function showConcepts(el: HTMLElement, concepts: readonly ConceptNode[], context: NodeContext): void {
  const list = el.createEl("ul", { cls: "zibaldone-entries" });
  showInSteps(el, list, concepts, context.owner, (one) => showConcept(list, one, context));
}

function showConcept(list: HTMLElement, one: ConceptNode, context: NodeContext): void {
  const support = [
    sayCount("vaultMemory.events", one.events.length),
    sayCount("vaultMemory.episodes", one.episodes.length),
    saySpan(one.first, one.last),
  ];
  showNode(list, one, join(support), context, {
    figure: (el) => showFigures(el, [["vaultMemory.importance", one.centrality]]),
    more: (el) => {
      const near = one.related.map(({ title }) => title).join("; ");
      if (near) el.createDiv({ cls: "zibaldone-remark", text: say("vaultMemory.near", { what: near }) });
    },
  });
}

export function showTimeline(el: HTMLElement, episodes: readonly TimelineNode[], context: NodeContext): void {
  const months = listMonths(episodes);
  const most = Math.max(1, ...months.map(({ events }) => events));
  const list = el.createEl("ul", { cls: "zibaldone-entries zibaldone-months" });
  const newest = months[0]?.month;
  showInSteps(el, list, months, context.owner, (one) => showMonth(list, one, most, one.month === newest, context));
}

function showMonth(
  list: HTMLElement,
  { month, events, episodes }: Month,
  most: number,
  open: boolean,
  context: NodeContext,
): void {
  const row = list.createEl("li", { cls: "zibaldone-month", attr: { "data-node": `month ${month}` } });
  const details = row.createEl("details");
  const summary = details.createEl("summary");
  summary.createSpan({ cls: "zibaldone-month-name", text: month ? sayMonth(month) : say("vaultMemory.noDay") });
  showBar(summary, events / most);
  summary.createSpan({ cls: "zibaldone-count", text: sayCount("vaultMemory.events", events) });
  const key = `month ${month}`;
  if (open && !context.opened.has(`closed ${key}`)) context.opened.add(key);
  const fill = (): void => {
    if (details.open) context.opened.add(key);
    else if (context.opened.delete(key)) context.opened.add(`closed ${key}`);
    if (!details.open || details.childElementCount > 1) return;
    const body = details.createDiv({ cls: "zibaldone-month-body" });
    const its = body.createEl("ul", { cls: "zibaldone-entries" });
    showInSteps(body, its, episodes, context.owner, (one) => {
      const about = [one.project, sayCount("vaultMemory.events", one.events.length), saySpan(one.start, one.end)];
      showNode(its, one, join(about), context);
    });
  };
  context.owner.registerDomEvent(details, "toggle", fill);
  details.open = context.opened.has(key);
  fill();
}

export function showDrift(el: HTMLElement, concepts: readonly DriftingNode[], context: NodeContext): void {
  const list = el.createEl("ul", { cls: "zibaldone-entries" });
  showInSteps(el, list, concepts, context.owner, (one) => showDrifting(list, one, context));
}

function showDrifting(list: HTMLElement, one: DriftingNode, context: NodeContext): void {
  const again = one.relearning.length > 0 ? sayCount("vaultMemory.again", one.relearning.length) : "";
  const span = saySpan(one.windows[0]?.start ?? null, one.windows.at(-1)?.end ?? null);
  const label = one.windows.map((window, at) => sayWindow(window, at === 0)).join("; ");
  showNode(list, one, join([sayOverall(one), again, span]), context, {
    figure: (el) => {
      if (one.windows.length > 1) showLine(el, lineOf(one.windows), label);
    },
    more: (el) => {
      const windows = el.createEl("ul", { cls: "zibaldone-windows" });
      for (const [at, window] of one.windows.entries()) windows.createEl("li", { text: sayWindow(window, at === 0) });
      for (const its of one.relearning) showRelearned(windows, its, one.evidence, context);
    },
  });
}

function showRelearned(
  list: HTMLElement,
  { again, day, pause_days: days }: RelearnedShown,
  evidence: readonly NodeEvidence[],
  context: NodeContext,
): void {
  const item = list.createEl("li", { text: sayCount("vaultMemory.relearned", days, { day: sayDate(day) }) });
  const found = evidence.find(({ event_id: id }) => id === again);
  if (!found) return;
  item.appendText(" ");
  const link = item.createEl("a", { cls: "zibaldone-place-link", href: "#", text: found.quote, attr: { dir: "auto" } });
  lead(link, found, context);
}

export function showForgetting(
  el: HTMLElement,
  nodes: readonly FadingNode[],
  context: NodeContext,
  askMe: (node: string) => void,
  now = Date.now(),
): void {
  const list = el.createEl("ul", { cls: "zibaldone-entries" });
  showInSteps(el, list, nodes, context.owner, (one) => {
    const level = say(one.level === "episode" ? "vaultMemory.episode" : "vaultMemory.concept");
    const figure = (at: HTMLElement): void =>
      showFigures(at, [
        ["vaultMemory.risk", one.risk],
        ["vaultMemory.importance", one.importance],
        ["vaultMemory.staleness", one.staleness],
      ]);
    const row = showNode(list, one, join([level, sayTouched(one, now)]), context, { figure });
    const buttons = row.createDiv({ cls: "zibaldone-small-buttons" });
    const newest = [...one.evidence].sort((a, b) => (b.date ?? "").localeCompare(a.date ?? ""))[0];
    if (newest) lead(addNamed(buttons, "vaultMemory.open", one.title), newest, context);
    const ask = addNamed(buttons, "vaultMemory.askMe", one.title);
    context.owner.registerDomEvent(ask, "click", () => askMe(one.node_id));
  });
}

/** A screen reader hears of which row a button is. */
function addNamed(parent: HTMLElement, words: "vaultMemory.open" | "vaultMemory.askMe", title: string): HTMLElement {
  const button = parent.createEl("button", { cls: "zibaldone-small", text: say(words), attr: { type: "button" } });
  button.createSpan({ cls: "zibaldone-hidden", text: `: ${title}` });
  return button;
}

/** Names, each with a bar and its share. */
function showFigures(parent: HTMLElement, figures: readonly (readonly [Key, number])[]): void {
  const el = parent.createSpan({ cls: "zibaldone-figures" });
  for (const [name, value] of figures) {
    const figure = el.createSpan({ cls: "zibaldone-figure" });
    figure.createSpan({ text: say(name) });
    showBar(figure, value);
    figure.createSpan({ cls: "zibaldone-count", text: sayShare(value) });
  }
}

function join(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" · ");
}
