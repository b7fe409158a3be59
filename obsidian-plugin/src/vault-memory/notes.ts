/** The notes in which concepts and episodes are kept: finding one, and writing them. */
import { Notice, TFile, type App, type TAbstractFile } from "obsidian";
import type { ConceptNotesWritten } from "../../../shared-schemas/zibaldone";
import { asFailure, sayFailure } from "../failure";
import type { SidecarClient } from "../sidecar/client";
import { say, sayCount } from "../words";

/** As the sidecar calls them within its own folder. */
const FOLDERS = ["concepts", "episodes"] as const;

/** The path of a node's note. Its name may be the person's: what counts is what its properties say. */
export function findNodeNote({ vault, metadataCache }: App, ownFolder: string, node: string): string | undefined {
  const files = FOLDERS.flatMap((name) => vault.getFolderByPath(`${ownFolder}/${name}`)?.children ?? []);
  const isOf = (file: TAbstractFile): boolean =>
    file instanceof TFile && String(metadataCache.getFileCache(file)?.frontmatter?.["node"]) === node;
  return files.find(isOf)?.path;
}

export async function writeConceptNotes(connect: () => Promise<SidecarClient>): Promise<void> {
  const notice = new Notice(say("conceptNotes.writing"), 0);
  try {
    const written = await (await connect()).writeConceptNotes();
    new Notice(sayWritten(written));
  } catch (error) {
    new Notice(sayFailure(asFailure(error)), 0);
  }
  notice.hide();
}

export function sayWritten({ written, removed, unchanged, commit, queued }: ConceptNotesWritten): string {
  if (written + removed + unchanged === 0) return say("conceptNotes.none");
  const counts = [
    sayCount("conceptNotes.written", written),
    sayCount("conceptNotes.removed", removed),
    sayCount("conceptNotes.unchanged", unchanged),
  ];
  const how =
    commit === null
      ? queued
        ? say("conceptNotes.queued")
        : ""
      : say("conceptNotes.commit", { id: commit.slice(0, 7) });
  return `${counts.join(", ")}. ${how}`.trim();
}
