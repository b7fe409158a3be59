/** Commands for Obsidian's own command line: text in, text out, the same engine. They read only. */
import type { CliData, CliFlags, Plugin } from "obsidian";
import { sayItem } from "../agenda/modal";
import { asFailure, sayFailure } from "../failure";
import type { SidecarClient } from "../sidecar/client";
import { sayIndex } from "../status/say";
import { saySpan, sayTouched } from "../vault-memory/told";
import { say, sayCount, sayShare } from "../words";

/** Concepts, episodes and the like that are listed. */
const MOST_NODES = 20;

type Run = (client: SidecarClient, data: CliData) => Promise<string>;

export function addCliHandlers(plugin: Plugin, connect: () => Promise<SidecarClient>): void {
  const add = (name: string, words: string, flags: CliFlags | null, run: Run): void =>
    plugin.registerCliHandler(name, words, flags, async (data) => {
      try {
        return await run(await connect(), data);
      } catch (error) {
        return sayFailure(asFailure(error));
      }
    });
  const query = { query: { value: "<text>", description: say("cli.query"), required: true } };
  const path = { path: { value: "<path>", description: say("cli.path"), required: true } };
  const question = { question: { value: "<text>", description: say("cli.question"), required: true } };
  add("zibaldone", say("cli.status"), null, async (client) => sayIndex(await client.status()));
  add("zibaldone:ask", say("cli.ask"), question, ask);
  add("zibaldone:search", say("cli.search"), query, search);
  add("zibaldone:related", say("cli.related"), path, related);
  add("zibaldone:agenda", say("cli.agenda"), null, agenda);
  add("zibaldone:concepts", say("cli.concepts"), null, concepts);
  add("zibaldone:timeline", say("cli.timeline"), null, timeline);
  add("zibaldone:forgetting", say("cli.forgetting"), null, forgetting);
}

async function ask(client: SidecarClient, data: CliData): Promise<string> {
  const asked = data["question"] ?? "";
  for await (const event of client.ask({ question: asked, writeback: false }, new AbortController().signal)) {
    if (event.type === "failed") return sayFailure(event.error);
    if (event.type !== "answered") continue;
    const { answer, citations, notes } = event.answer;
    const sources = citations.map((one) => `[${one.marker}] ${one.path}:${one.line_start}`);
    return [answer, ...sources, ...(answer ? [] : notes)].join("\n");
  }
  return "";
}

async function search(client: SidecarClient, data: CliData): Promise<string> {
  const { hits } = await client.search({ query: data["query"] ?? "", k: 10 });
  const lines = hits.map((hit) => `${hit.path}:${hit.line_start}  ${hit.text.split("\n", 1)[0] ?? ""}`);
  return lines.join("\n") || say("search.nothing");
}

async function related(client: SidecarClient, data: CliData): Promise<string> {
  const { notes } = await client.related(data["path"] ?? "", 10);
  return (
    notes.map((note) => `${sayShare(note.cosine)}  ${note.path}:${note.line_start}`).join("\n") || say("related.none")
  );
}

async function agenda(client: SidecarClient): Promise<string> {
  const { items } = await client.agenda({ span: "ahead" });
  return items.map((item) => `${item.day}  ${item.text}  ${sayItem(item)}`).join("\n") || say("agenda.noneToday");
}

async function concepts(client: SidecarClient): Promise<string> {
  const { concepts: found } = await client.concepts(MOST_NODES);
  const lines = found.map(({ title, events, first, last }) =>
    [title, sayCount("vaultMemory.events", events.length), saySpan(first, last)].join("  ").trim(),
  );
  return lines.join("\n") || say("vaultMemory.none.concepts");
}

async function timeline(client: SidecarClient): Promise<string> {
  const { timeline: found } = await client.timeline(MOST_NODES);
  const lines = found.map(({ title, start, end, project }) => [saySpan(start, end), project, title].join("  ").trim());
  return lines.join("\n") || say("vaultMemory.none.timeline");
}

async function forgetting(client: SidecarClient): Promise<string> {
  const { forgetting: found } = await client.forgetting(MOST_NODES);
  const lines = found.map((one) => `${sayShare(one.risk)}  ${one.title}  ${sayTouched(one, Date.now())}`);
  return lines.join("\n") || say("vaultMemory.none.forgetting");
}
