/** "Open memory page": the first of the pages that is there. */
import { Notice, type App } from "obsidian";
import { asFailure, sayFailure } from "../failure";
import { openPlace } from "../place";
import type { SidecarClient } from "../sidecar/client";
import { say } from "../words";
import { memoryFolder, TYPES } from "./entries";

export async function openMemoryPage(app: App, connect: () => Promise<SidecarClient>): Promise<void> {
  try {
    const folder = memoryFolder(await (await connect()).config());
    const paths = TYPES.map((type) => `${folder}/${type}.md`);
    const path = paths.find((one) => app.vault.getFileByPath(one) !== null);
    if (path === undefined) new Notice(say("memory.nothing"));
    else await openPlace(app, { path, line: 1, page: null }, null);
  } catch (error) {
    new Notice(sayFailure(asFailure(error)));
  }
}
