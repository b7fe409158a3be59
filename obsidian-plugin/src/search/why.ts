/** Why a passage was found, in a line; the figures are the sidecar's. */
import type { Explanation, Hit } from "../../../shared-schemas/zibaldone";
import { say, sayShare } from "../words";

/** "words 70% · meaning 60%": what comes to one per cent at least, and the side of a comparison. */
export function sayWhy({ components, subquery }: Hit): string {
  const parts = [
    ["search.words", Math.max(components.lexical, components.bm25)],
    ["search.meaning", components.semantic],
    ["search.title", components.title],
    ["search.recency", components.recency],
    ["search.usage", components.usage],
    ["search.ranking", components.rerank],
  ] as const;
  const said = parts.filter(([, share]) => share >= 0.005).map(([key, share]) => `${say(key)} ${sayShare(share)}`);
  if (subquery !== null) said.push(say("search.foundFor", { side: subquery }));
  return said.join(" · ");
}

/** What counted how much, where anything was asked for in words, and what was left out. May be empty. */
export function sayExplanation({ words, semantic_weight: meaning, left_out: leftOut }: Explanation): string {
  const said: string[] = [];
  if (Object.keys(words).length > 0)
    said.push(say("search.weights", { meaning: sayShare(meaning), words: sayShare(1 - meaning) }));
  if (leftOut.length > 0) said.push(say("search.leftOut", { what: leftOut.join("; ") }));
  return said.join(" ");
}
