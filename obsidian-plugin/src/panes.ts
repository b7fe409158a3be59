/** The panes beside the chat: registered once, opened by their commands. */
import { Notice, type Plugin, type TFile, type Modal } from "obsidian";
import { TypingWatch } from "./apply/typing";
import { COVERAGE_VIEW, CoverageView } from "./coverage/view";
import { asFailure, sayFailure } from "./failure";
import { FIRST_RUN_VIEW, FirstRunView } from "./first-run/view";
import { MEMORY_VIEW, MemoryView } from "./memory/view";
import { EvolutionModal } from "./note/evolution";
import { ingestFile } from "./note/ingest";
import { suggestLinks } from "./note/links";
import { undoLast } from "./note/undo";
import { Desk } from "./proposals/desk";
import { PROPOSALS_VIEW, ProposalsView } from "./proposals/view";
import { RELATED_VIEW, RelatedView } from "./related/view";
import type { DeviceStore } from "./settings/device";
import type { SidecarClient } from "./sidecar/client";
import { windowClock } from "./sidecar/clock";
import { fail } from "./sidecar/failure";
import type { Host } from "./sidecar/host";
import { initVault } from "./sidecar/init";
import type { Supervisor } from "./sidecar/supervisor";
import { openView } from "./sidecar-view";
import type { StatusWatch } from "./status/watch";
import { writeConceptNotes } from "./vault-memory/notes";
import { VAULT_MEMORY_VIEW, VaultMemoryView, type MemoryTab } from "./vault-memory/view";
import { say } from "./words";

export interface PaneParts {
  readonly host: Host;
  readonly vaultPath: string;
  readonly device: DeviceStore;
  readonly supervisor: Supervisor;
  readonly status: StatusWatch;
  /** Ends with the plugin. */
  readonly connect: () => Promise<SidecarClient>;
  readonly openDialog: (dialog: Modal) => void;
  /** Opens the chat with a text in its composer. */
  readonly draft: (text: string) => void;
  readonly openSettings: () => void;
}

/** What the commands and menus do with the panes and with notes. */
export function addPanes(plugin: Plugin, parts: PaneParts) {
  const { app } = plugin;
  const { supervisor, status, device, connect, openDialog } = parts;
  const shared = { supervisor, connect };
  const typing = plugin.addChild(new TypingWatch(app));
  const desk = new Desk(app, typing, connect);
  const pause = (paused: boolean): Promise<void> => pauseIndexing(parts, paused);
  plugin.registerView(RELATED_VIEW, (leaf) => new RelatedView(leaf, shared, onIndexed(status)));
  plugin.registerView(MEMORY_VIEW, (leaf) => new MemoryView(leaf, shared));
  plugin.registerView(VAULT_MEMORY_VIEW, (leaf) => new VaultMemoryView(leaf, { ...shared, status }));
  plugin.registerView(PROPOSALS_VIEW, (leaf) => new ProposalsView(leaf, shared, desk));
  const paused = (): boolean => device.current.indexPaused;
  plugin.registerView(COVERAGE_VIEW, (leaf) => new CoverageView(leaf, { ...shared, status, paused, pause }));
  const done = (): void => device.change({ firstRunDone: true });
  const { draft, openSettings } = parts;
  const firstRun = { ...shared, status, init: () => init(parts), draft, openSettings, done };
  plugin.registerView(FIRST_RUN_VIEW, (leaf) => new FirstRunView(leaf, firstRun));
  plugin.register(supervisor.subscribe(() => void tellPause(parts)));

  const show = (type: string) => () => void openView(app, type);
  const showVaultMemory = (tab?: MemoryTab) => void openVaultMemory(app, tab);
  const showProposals = show(PROPOSALS_VIEW);
  return {
    showRelated: (file?: TFile) => void showRelated(plugin, file),
    showMemory: show(MEMORY_VIEW),
    showVaultMemory,
    writeConceptNotes: () => void writeConceptNotes(connect),
    showProposals,
    showCoverage: show(COVERAGE_VIEW),
    showFirstRun: () => void openFirstRun(plugin),
    togglePause: () =>
      void pause(!paused()).then(() => new Notice(say(paused() ? "coverage.paused" : "coverage.resumed"))),
    undoLast: () => void undoLast(app, connect, openDialog),
    suggestLinks: (path: string) => void suggestLinks(connect, path, showProposals),
    ingest: (file: TFile) => void ingestFile(app, connect, file, plugin),
    showEvolution: (topic: string) =>
      openDialog(new EvolutionModal(app, topic, (signal) => supervisor.connect(signal))),
  };
}

export async function openFirstRun({ app: { workspace } }: Plugin): Promise<void> {
  const leaf = workspace.getLeavesOfType(FIRST_RUN_VIEW)[0] ?? workspace.getLeaf("tab");
  if (leaf.view.getViewType() !== FIRST_RUN_VIEW) await leaf.setViewState({ type: FIRST_RUN_VIEW, active: true });
  await workspace.revealLeaf(leaf);
}

async function openVaultMemory(app: Plugin["app"], tab?: MemoryTab): Promise<void> {
  const { view } = await openView(app, VAULT_MEMORY_VIEW);
  if (tab && view instanceof VaultMemoryView) view.select(tab);
}

/** The pane follows the note that is open, so another note is opened first. */
async function showRelated({ app }: Plugin, file?: TFile): Promise<void> {
  if (file && app.workspace.getActiveFile() !== file) await app.workspace.getLeaf().openFile(file);
  await openView(app, RELATED_VIEW);
}

/** Calls back when more notes have vectors than before. */
function onIndexed(status: Pick<StatusWatch, "last" | "subscribe">) {
  return (listener: () => void): (() => void) => {
    let vectors = status.last?.vectors;
    return status.subscribe(() => {
      const now = status.last?.vectors;
      if (now !== undefined && now !== vectors) listener();
      vectors = now;
    });
  };
}

async function pauseIndexing({ device, connect, status }: PaneParts, paused: boolean): Promise<void> {
  device.change({ indexPaused: paused });
  try {
    await (await connect()).pause(paused);
  } catch (error) {
    new Notice(sayFailure(asFailure(error)));
  }
  status.look();
}

/** A sidecar that was started again knows nothing of the pause. */
async function tellPause({ device, supervisor }: PaneParts): Promise<void> {
  const { state } = supervisor;
  if (device.current.indexPaused && state.kind === "ready") await state.client.pause(true).catch(() => undefined);
}

async function init({ host, vaultPath, supervisor }: PaneParts): Promise<void> {
  const { program } = supervisor;
  if (program === null) throw fail("zib_missing", "sidecar.missing");
  await initVault(host, program, vaultPath, windowClock);
  await supervisor.restart();
}
