/** What is overdue, due today and in the seven days after, each leading to its line. */
import type { Agenda, AgendaItem } from "../../../shared-schemas/zibaldone";
import { AnswerModal } from "../dialog";
import { linkTo } from "../place";
import type { SidecarClient } from "../sidecar/client";
import { say, sayCount, sayDay } from "../words";

/** Overdue items that are shown at once; what is years old can be many. */
const MOST_LATE = 8;

export class AgendaModal extends AnswerModal<Agenda> {
  protected override load(client: SidecarClient, signal: AbortSignal): Promise<Agenda> {
    return client.agenda({ span: "ahead" }, signal);
  }

  protected override show(el: HTMLElement, { items, today }: Agenda): void {
    const late = items.filter((item) => item.state === "overdue");
    const ahead = items.filter((item) => item.state !== "overdue");
    this.addDay(
      el,
      say("agenda.today", { day: sayDay(today) }),
      ahead.filter((item) => item.day === today),
      "agenda.noneToday",
    );
    const days = [...new Set(ahead.map((item) => item.day))].filter((day) => day !== today);
    for (const day of days)
      this.addDay(
        el,
        sayDay(day),
        ahead.filter((item) => item.day === day),
      );
    if (days.length === 0) el.createDiv({ cls: "zibaldone-remark", text: say("agenda.noneAhead") });
    if (late.length === 0) return;
    this.addDay(el, say("agenda.overdue"), late.slice(0, MOST_LATE));
    const more = late.slice(MOST_LATE);
    if (more.length === 0) return;
    const details = el.createEl("details", { cls: "zibaldone-details" });
    details.createEl("summary", { text: sayCount("status.more", more.length) });
    this.addItems(details, more);
  }

  private addDay(el: HTMLElement, heading: string, items: readonly AgendaItem[], none?: "agenda.noneToday"): void {
    el.createEl("h3", { cls: "zibaldone-heading", text: heading });
    if (items.length > 0) this.addItems(el, items);
    else if (none) el.createDiv({ cls: "zibaldone-remark", text: say(none) });
  }

  private addItems(el: HTMLElement, items: readonly AgendaItem[]): void {
    const list = el.createEl("ul", { cls: "zibaldone-entries" });
    for (const item of items) {
      const row = list.createEl("li", { cls: "zibaldone-entry" });
      const line = row.createDiv({ attr: { dir: "auto" } });
      const link = line.createEl("a", { cls: "zibaldone-place-link", href: "#", text: item.text });
      linkTo(
        link,
        { path: item.path, line: item.line, page: null },
        { app: this.app, owner: this.owner, hoverParent: this },
      );
      row.createDiv({ cls: "zibaldone-remark", text: sayItem(item), attr: { dir: "auto" } });
    }
  }
}

/** "09:30 · appointment · high priority · Kestrel" */
export function sayItem(item: AgendaItem): string {
  const parts = [item.time ?? ""];
  if (item.overdue_days > 0) parts.push(sayCount("agenda.late", item.overdue_days));
  if (item.kind !== "task") parts.push(say(`agenda.kind.${item.kind}`));
  if (item.priority) parts.push(say(`agenda.priority.${item.priority}`));
  if (item.due !== null && item.due > item.day) parts.push(say("agenda.due", { day: sayDay(item.due) }));
  parts.push(item.title);
  return parts.filter((part) => part !== "").join(" · ");
}
