/** What can be typed behind a slash. */
import { fold } from "../../fold";
import { say, type Key } from "../../words";
import type { Item } from "./popup";

const ICONS = {
  new: "square-pen",
  history: "history",
  search: "search",
  note: "file-text",
  selection: "text-select",
  all: "library",
  remember: "bookmark",
  agenda: "calendar",
  memory: "brain",
  summarise: "list-collapse",
  evolution: "history",
  themes: "library",
  timeline: "calendar-range",
  forgetting: "hourglass",
  recall: "graduation-cap",
  related: "waypoints",
  proposals: "git-pull-request-arrow",
  undo: "undo-2",
  regenerate: "refresh-cw",
  save: "save",
} as const;

export type CommandName = keyof typeof ICONS;

export interface SlashCommand extends Item {
  readonly name: CommandName;
}

export function findCommands(query: string): SlashCommand[] {
  const wanted = fold(query);
  const all = Object.entries(ICONS).map(([name, icon]) => {
    const [title, detail] = [say(`slash.name.${name}` as Key), say(`slash.what.${name}` as Key)];
    return { name: name as CommandName, icon, title: `/${title}`, detail };
  });
  const starting = all.filter(({ title }) => fold(title).startsWith(`/${wanted}`));
  return starting.length > 0 || wanted.length < 2
    ? starting
    : all.filter(({ detail }) => fold(detail).includes(wanted));
}
