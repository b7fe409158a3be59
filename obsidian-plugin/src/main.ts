/** Wires the parts together and disposes of them. Starts nothing before the layout is ready. */
import { FileSystemAdapter, getLanguage, Notice, Plugin, type Editor, type Modal } from "obsidian";
import { AgendaModal } from "./agenda/modal";
import { followNote } from "./chat/about";
import { Conversation } from "./chat/conversation";
import { LastConversation } from "./chat/history/last";
import { CHAT_VIEW, ChatView } from "./chat/view";
import { useCommandLine } from "./command";
import { addCommands } from "./commands";
import { listenToVault } from "./hints/listen";
import { addMenus } from "./menus";
import { openMemoryPage } from "./memory/page";
import { addCliHandlers } from "./outside/cli";
import { handleUri } from "./outside/uri";
import { addPanes, openFirstRun } from "./panes";
import { HOVER_SOURCE } from "./place";
import { remember, selectionOf } from "./remember";
import { SearchModal } from "./search/modal";
import { DeviceStore } from "./settings/device";
import { ZibaldoneSettingTab } from "./settings/tab";
import { tellWarnings } from "./settings/warnings";
import { nodeHost } from "./sidecar/host";
import { Supervisor } from "./sidecar/supervisor";
import { watchBar } from "./status/bar";
import { StatusModal } from "./status/modal";
import { StatusWatch } from "./status/watch";
import { syncNow } from "./sync";
import type { MemoryTab } from "./vault-memory/view";
import { say, useLanguage } from "./words";

export default class ZibaldonePlugin extends Plugin {
  override onload(): void {
    useLanguage(getLanguage());
    const { app } = this;
    const { adapter } = app.vault;
    if (!(adapter instanceof FileSystemAdapter)) return; // a phone; the manifest says desktop only

    const device = new DeviceStore(app);
    if (device.damaged.length > 0) new Notice(say("settings.damaged", { what: device.damaged.join(", ") }));
    const [vaultPath, host] = [adapter.getBasePath(), nodeHost()];
    const supervisor = new Supervisor({ vaultPath, host, settings: () => device.current });
    useCommandLine({ platform: host.platform, vault: vaultPath, program: () => supervisor.program });
    const closing = new AbortController();
    this.register(() => {
      closing.abort();
      void supervisor.close();
    });

    const connect = (signal: AbortSignal) => supervisor.connect(signal);
    const conversation = new Conversation(connect, (failure) => supervisor.explain(failure));
    const bar = this.addStatusBarItem();
    const status = this.addChild(new StatusWatch(supervisor, () => bar.doc.hidden));
    let dialog: Modal | null = null;
    const openDialog = (next: Modal): void => {
      dialog?.close();
      (dialog = next).open();
    };
    this.register(() => dialog?.close());
    const showStatus = () => openDialog(new StatusModal(app, supervisor, status));
    watchBar(bar, this, () => supervisor.state, status, showStatus);

    // Before the view is registered: a pane that stands open from before is made at once.
    const chat = {
      conversation,
      last: new LastConversation(app),
      supervisor,
      status,
      connect: () => connect(closing.signal),
      openSettings: () => this.openSettings(),
      search: () => openDialog(new SearchModal(app, connect)),
      showMemory: () => panes.showMemory(),
      showVaultMemory: (tab: MemoryTab) => panes.showVaultMemory(tab),
      showRelated: () => panes.showRelated(),
      showProposals: () => panes.showProposals(),
      showEvolution: (topic: string) => panes.showEvolution(topic),
      undoLast: () => panes.undoLast(),
    };
    this.registerView(CHAT_VIEW, (leaf) => new ChatView(leaf, chat));
    this.registerHoverLinkSource(HOVER_SOURCE, { display: say("place.hover"), defaultMod: false });
    this.addSettingTab(new ZibaldoneSettingTab(app, this, device, supervisor));
    let opening: Promise<void> | null = null;
    const chatOpened = () => (opening ??= this.openChat().finally(() => (opening = null)));
    const openChat = () => void chatOpened();
    const draft = (text: string) => void chatOpened().then(() => this.chatView()?.begin(text));
    this.addRibbonIcon("message-square-quote", say("ribbon.chat"), openChat);
    const panes = addPanes(this, {
      host,
      vaultPath,
      device,
      supervisor,
      status,
      connect: chat.connect,
      openDialog,
      draft,
      openSettings: chat.openSettings,
    });
    const actions = {
      ...panes,
      openChat,
      askAbout: (path: string) => {
        conversation.about = path;
        openChat();
      },
      askSelection: (text: string) => draft(`${quoteLines(text)}\n\n`),
      summarise: (path: string) => {
        openChat();
        conversation.ask(say("summarise.question"), [{ kind: "note", name: path }]);
      },
      search: () => openDialog(new SearchModal(app, connect)),
      sync: () => void syncNow(connect, closing.signal, this).then(() => status.look()),
      showStatus,
      remember: (editor: Editor, path: string | null) =>
        void remember(app, chat.connect, selectionOf(editor, path), this),
      openMemoryPage: () => void openMemoryPage(app, chat.connect),
      showAgenda: () => openDialog(new AgendaModal(app, "agenda.title", connect)),
    };
    addCommands(this, actions);
    addMenus(this, actions);
    addCliHandlers(this, chat.connect);
    const outside = {
      ...actions,
      draft,
      openRelated: () => panes.showRelated(),
      openProposals: panes.showProposals,
      openMemory: panes.showMemory,
      openVaultMemory: panes.showVaultMemory,
      search: (query: string) => openDialog(new SearchModal(app, connect, query)),
    };
    this.registerObsidianProtocolHandler("zibaldone", (data) => handleUri(app, data, outside, openDialog));
    tellWarnings(supervisor, this);
    app.workspace.onLayoutReady(() => {
      followNote(app, this, conversation);
      listenToVault(app, this, supervisor, () => status.look());
      // A failure is the supervisor's state, which pane and status bar show.
      if (device.current.startAutomatically) connect(closing.signal).catch(() => {});
      if (!device.current.firstRunDone) void openFirstRun(this);
    });
  }

  private async openChat(): Promise<void> {
    const { workspace } = this.app;
    const leaf = workspace.getLeavesOfType(CHAT_VIEW)[0] ?? workspace.getRightLeaf(false);
    if (!leaf) return;
    if (leaf.view.getViewType() !== CHAT_VIEW) await leaf.setViewState({ type: CHAT_VIEW, active: true });
    await workspace.revealLeaf(leaf);
    if (leaf.view instanceof ChatView) leaf.view.focus();
  }

  private chatView(): ChatView | null {
    const view = this.app.workspace.getLeavesOfType(CHAT_VIEW)[0]?.view;
    return view instanceof ChatView ? view : null;
  }

  /** Obsidian has no public way to its settings; without this one the button does nothing. */
  private openSettings(): void {
    const { setting } = this.app as unknown as { setting?: { open(): void; openTabById(id: string): unknown } };
    setting?.open();
    setting?.openTabById(this.manifest.id);
  }
}

/** As a quotation, above which a question can be written. */
function quoteLines(text: string): string {
  return text.replace(/^/gm, "> ");
}
