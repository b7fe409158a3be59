/** How the agents work for this person, and the entries of the memory that a rule rests on. */
import type { MemoryEntry, Rule } from "../../../shared-schemas/zibaldone";
import { showEmpty } from "../sidecar-view";
import { say, type Key } from "../words";

const AGENTS: Readonly<Record<Rule["agent"], Key>> = {
  common: "rules.agent.common",
  relay: "rules.agent.relay",
  data: "rules.agent.data",
  agenda: "rules.agent.agenda",
  action: "rules.agent.action",
  pattern: "rules.agent.pattern",
};

/** The person's own first: what the program brings along is the same for everybody. */
export function showRules(el: HTMLElement, rules: readonly Rule[], entries: readonly MemoryEntry[]): void {
  const own = rules.filter(({ layer }) => layer === "user");
  el.createEl("h3", { cls: "zibaldone-heading", text: say("rules.own") });
  if (own.length === 0) showEmpty(el, say("rules.none"));
  else showList(el, own, entries);
  const details = el.createEl("details", { cls: "zibaldone-details" });
  details.createEl("summary", { text: say("rules.system") });
  showList(
    details,
    rules.filter(({ layer }) => layer === "system"),
    entries,
  );
}

function showList(el: HTMLElement, rules: readonly Rule[], entries: readonly MemoryEntry[]): void {
  const list = el.createEl("ul", { cls: "zibaldone-entries" });
  for (const { agent, text, added, rests_on: basis } of rules) {
    const row = list.createEl("li", { cls: "zibaldone-entry" });
    row.createDiv({ text, attr: { dir: "auto" } });
    const about = added === null ? say(AGENTS[agent]) : `${say(AGENTS[agent])} · ${added}`;
    row.createDiv({ cls: "zibaldone-remark", text: about });
    const said = basis.flatMap((id) => entries.find((entry) => entry.id === id)?.content ?? []);
    if (said.length > 0)
      row.createDiv({
        cls: "zibaldone-remark",
        text: say("rules.restsOn", { what: said.join("; ") }),
        attr: { dir: "auto" },
      });
  }
}
