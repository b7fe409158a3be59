/** "Ingest file": copies and registers a document of the vault, has a page written from it, and says what came of it. */
import { FileSystemAdapter, Notice, type App, type Component, type TFile } from "obsidian";
import type { IngestedFile } from "../../../shared-schemas/zibaldone";
import { asFailure } from "../failure";
import { showFailure } from "../hint";
import { openPlace, withoutExtension } from "../place";
import type { SidecarClient } from "../sidecar/client";
import { say } from "../words";

const SHOWN_MS = 10_000;
/** What the sidecar can read as a document. */
const READABLE: ReadonlySet<string> = new Set(["md", "txt", "pdf", "html", "htm", "docx", "epub", "csv", "canvas"]);

export function canIngest(file: TFile): boolean {
  return READABLE.has(file.extension.toLowerCase());
}

export async function ingestFile(
  app: App,
  connect: () => Promise<SidecarClient>,
  file: TFile,
  owner: Component,
): Promise<void> {
  const { adapter } = app.vault;
  if (!(adapter instanceof FileSystemAdapter)) return;
  const notice = new Notice(say("ingest.started", { name: file.name }), 0);
  try {
    const { files } = await (await connect()).ingest({ paths: [adapter.getFullPath(file.path)] });
    const [done] = files;
    notice.setMessage(createFragment((el) => done && showIngested(app, el, done, owner)));
    const timer = window.setTimeout(() => notice.hide(), SHOWN_MS);
    owner.register(() => window.clearTimeout(timer));
  } catch (error) {
    notice.setMessage(createFragment((el) => showFailure(el.createDiv(), asFailure(error), owner)));
  }
}

function showIngested(
  app: App,
  el: DocumentFragment,
  { file, outcome, error, pages, no_page: why }: IngestedFile,
  owner: Component,
): void {
  const name = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
  if (error) return showFailure(el.createDiv(), error, owner);
  el.createDiv({ text: say(`ingest.${outcome === "unchanged" ? "known" : "done"}`, { name }) });
  if (why) el.createDiv({ text: why });
  for (const path of pages.flatMap(({ paths }) => paths.filter((one) => one.includes("/pages/")))) {
    const link = el.createDiv().createEl("a", { cls: "zibaldone-place-link", href: "#", text: withoutExtension(path) });
    owner.registerDomEvent(link, "click", (event) => {
      event.preventDefault();
      void openPlace(app, { path, line: 1, page: null }, event);
    });
  }
}
