/** "Suggest links": a proposal of links to the notes that this one names; nothing is written before it is approved. */
import { Notice } from "obsidian";
import { asFailure, sayFailure } from "../failure";
import type { SidecarClient } from "../sidecar/client";
import { say } from "../words";

export async function suggestLinks(
  connect: () => Promise<SidecarClient>,
  path: string,
  review: () => void,
): Promise<void> {
  try {
    const { proposal } = await (await connect()).suggestLinks(path);
    if (proposal) review();
    else new Notice(say("links.none"));
  } catch (error) {
    new Notice(sayFailure(asFailure(error)));
  }
}
