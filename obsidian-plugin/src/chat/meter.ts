/** How much of what the model can hold an answer took, and what found no room. */
import type { Component } from "obsidian";
import type { Answer } from "../../../shared-schemas/zibaldone";
import { showHint } from "../hint";
import { say, sayCount } from "../words";

/** Nothing where no model read. */
export function showMeter(parent: HTMLElement, { timing, truncated }: Answer, owner: Component): void {
  const { prompt_tokens: prompt, completion_tokens: said, context_tokens: room } = timing;
  if (room === 0 && truncated.length === 0) return;
  const details = parent.createEl("details", { cls: "zibaldone-details zibaldone-meter" });
  const summary = details.createEl("summary");
  const used = prompt + said;
  if (room > 0) {
    const share = say("meter.share", { used, room });
    summary.createEl("meter", { attr: { min: 0, max: room, value: used, high: Math.round(room * 0.9) } });
    summary.createSpan({ text: share });
  }
  if (truncated.length > 0) summary.createSpan({ cls: "zibaldone-cut", text: sayCount("meter.cut", truncated.length) });
  if (room > 0) details.createDiv({ text: say("meter.parts", { prompt, evidence: timing.evidence_tokens, said }) });
  for (const cut of truncated) showHint(details.createDiv({ attr: { dir: "auto" } }), cut, owner);
  if (truncated.length === 0) details.createDiv({ text: say("meter.allFit") });
}
