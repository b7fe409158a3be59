/** The pane. It draws what the conversation, the sidecar and the index are at most once a frame. */
import { ItemView, type HoverParent, type HoverPopover, type WorkspaceLeaf } from "obsidian";
import type { SidecarClient } from "../sidecar/client";
import type { Supervisor } from "../sidecar/supervisor";
import { touch } from "../sidecar/touch";
import type { StatusWatch } from "../status/watch";
import { say } from "../words";
import { Commands } from "./commands";
import { Composer } from "./composer";
import type { Conversation } from "./conversation";
import type { LastConversation } from "./history/last";
import { Message } from "./message";
import { Messages } from "./messages";
import { StatePanel } from "./panel";
import { Follower } from "./scroll";
import { showToolbar } from "./toolbar";
import { onlyAcknowledges, type Turn } from "./turn";
import { Welcome } from "./welcome";

export const CHAT_VIEW = "zibaldone-chat";

export interface ChatParts {
  readonly conversation: Conversation;
  readonly last: LastConversation;
  readonly supervisor: Pick<Supervisor, "state" | "subscribe" | "restart">;
  readonly status: Pick<StatusWatch, "last" | "subscribe">;
  connect(): Promise<SidecarClient>;
  openSettings(): void;
  search(): void;
  showMemory(): void;
  showVaultMemory(tab: "timeline" | "forgetting" | "recall"): void;
  showRelated(): void;
  showProposals(): void;
  showEvolution(topic: string): void;
  undoLast(): void;
}

export class ChatView extends ItemView implements HoverParent {
  hoverPopover: HoverPopover | null = null;
  override navigation = false;
  override icon = "message-square-quote";
  private cancelFrame: (() => void) | null = null;
  private show: () => void = () => {};
  private composer: Composer | null = null;

  constructor(
    leaf: WorkspaceLeaf,
    private readonly parts: ChatParts,
  ) {
    super(leaf);
  }

  override getViewType(): string {
    return CHAT_VIEW;
  }

  override getDisplayText(): string {
    return say("chat.title");
  }

  /** Puts the cursor where the question goes. */
  focus(): void {
    this.composer?.focus();
  }

  /** Puts a text there, to be finished and sent by hand. */
  begin(text: string): void {
    this.composer?.begin(text);
  }

  override onResize(): void {
    this.schedule();
  }

  protected override async onOpen(): Promise<void> {
    const { conversation, supervisor, status, last } = this.parts;
    const el = this.contentEl;
    el.addClass("zibaldone-chat");
    const commands = this.addChild(new Commands(this.app, this.parts, (text) => composer.begin(text)));
    showToolbar(el, this, {
      startNew: () => commands.run("new"),
      showHistory: () => commands.run("history"),
      save: () => commands.run("save"),
    });
    const body = el.createDiv({ cls: "zibaldone-body" });
    const scroller = body.createDiv({ cls: "zibaldone-messages" });
    const welcome = this.addChild(new Welcome(scroller, (text) => composer.begin(text)));
    const list = scroller.createDiv({ cls: "zibaldone-turns" });
    const follower = new Follower(scroller, body, this);
    const panel = this.addChild(
      new StatePanel(el, { restart: () => this.restart(), openSettings: () => this.parts.openSettings() }),
    );
    const composer = this.addChild(
      new Composer(el, this.app, conversation, {
        asked: () => follower.toBottom(),
        run: (name) => commands.run(name),
      }),
    );
    const announcer = el.createDiv({ cls: "zibaldone-hidden", attr: { "aria-live": "polite" } });
    const messages = new Messages(this, (turn, next) => this.makeMessage(list, announcer, turn, next));
    this.composer = composer;

    this.show = () => {
      const more = messages.update(conversation.turns);
      const empty = conversation.turns.length === 0;
      welcome.update(empty, status.last);
      // An answer says by itself what it lacked.
      panel.update(supervisor.state, empty ? status.last : null);
      composer.update();
      el.toggleClass("is-running", conversation.running);
      follower.follow(conversation.running, messages.last?.el ?? null);
      last.note(conversation);
      if (more) this.schedule();
    };
    for (const source of [conversation, supervisor, status]) this.register(source.subscribe(() => this.schedule()));
    this.register(el.onWindowMigrated(() => this.schedule()));
    this.register(() => this.cancelFrame?.());
    this.show();
    this.focus();
    this.app.workspace.onLayoutReady(() => commands.resume());
  }

  /** A window that is gone draws no frames, so a new one is asked for in whatever window this is now. */
  private schedule(): void {
    this.cancelFrame?.();
    const { win } = this.contentEl;
    const frame = win.requestAnimationFrame(() => {
      this.cancelFrame = null;
      this.show();
    });
    this.cancelFrame = () => win.cancelAnimationFrame(frame);
  }

  private makeMessage(list: HTMLElement, announcer: HTMLElement, turn: Turn, next: Node | null): Message {
    const { conversation } = this.parts;
    return new Message(
      list,
      {
        app: this.app,
        hoverParent: this,
        connect: () => this.parts.connect(),
        touched: (passage) => touch(this.parts.supervisor, [passage]),
        accepted: (passages) => touch(this.parts.supervisor, passages, "accepted"),
        actions: {
          retry: (failed) => conversation.retry(failed),
          askAll: (failed) => conversation.askAll(failed),
          again: (old, question) => void conversation.again(old, question),
          stop: () => conversation.stop(),
          takeBack: () => conversation.takeBack(),
          settle: (settled, index, noted) => conversation.settle(settled, index, noted),
        },
        announce: (text) => announcer.setText(text),
        finished: (over, watched) => {
          if (watched && over.answer && !onlyAcknowledges(over))
            announcer.setText(say("chat.finished", { text: over.text }));
          this.schedule();
        },
      },
      turn,
      next,
    );
  }

  private restart(): void {
    // What became of it is the supervisor's state, which is shown.
    this.parts.supervisor.restart().catch(() => {});
  }
}
