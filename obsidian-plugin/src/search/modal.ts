/** Search by words and meaning, in Obsidian's own kind of dialog. */
import { Notice, Platform, SuggestModal, type App } from "obsidian";
import type { Hit } from "../../../shared-schemas/zibaldone";
import { asFailure, sayFailure } from "../failure";
import { excess, refuseFloods } from "../limit";
import { folderOf, noteName, openPlace, placeOf } from "../place";
import type { SidecarClient } from "../sidecar/client";
import { isAbort } from "../sidecar/failure";
import { say, sayCount } from "../words";

const PAUSE_MS = 150;
const MOST_HITS = 20;

export class SearchModal extends SuggestModal<Hit> {
  private stopper = new AbortController();
  private latest: Promise<Hit[]> = Promise.resolve([]);

  constructor(
    app: App,
    private readonly connect: (signal: AbortSignal) => Promise<SidecarClient>,
  ) {
    super(app);
    const mod = Platform.isMacOS ? "⌘" : "Ctrl";
    this.modalEl.addClass("zibaldone-search");
    this.emptyStateText = say("search.type");
    this.setPlaceholder(say("search.placeholder"));
    this.setInstructions([
      { command: "↵", purpose: say("search.open") },
      { command: `${mod} ↵`, purpose: say("search.newTab") },
      { command: "esc", purpose: say("search.close") },
    ]);
    const tell = (count: number) => void new Notice(say("composer.notPasted", { count }));
    this.inputEl.addEventListener("beforeinput", refuseFloods(this.inputEl, tell));
    for (const modifiers of [["Mod"], ["Mod", "Alt"], ["Mod", "Shift"]] as const) {
      this.scope.register([...modifiers], "Enter", (event) => {
        this.selectActiveSuggestion(event);
        return false;
      });
    }
  }

  /** Of several calls under way each gives what the last one finds, in whatever order they end. */
  override async getSuggestions(query: string): Promise<Hit[]> {
    this.stopper.abort();
    this.stopper = new AbortController();
    const mine = (this.latest = this.find(query.trim(), this.stopper.signal));
    const hits = await mine;
    return mine === this.latest ? hits : this.latest;
  }

  override renderSuggestion(hit: Hit, el: HTMLElement): void {
    el.addClass("mod-complex");
    const content = el.createDiv({ cls: "suggestion-content" });
    const title = content.createDiv({ cls: "suggestion-title", text: noteName(hit.path), attr: { dir: "auto" } });
    const trail = [folderOf(hit.path), ...hit.heading.filter((part) => part !== noteName(hit.path))];
    title.createSpan({ cls: "zibaldone-trail", text: trail.filter((part) => part !== "").join(" › ") });
    content.createDiv({ cls: "suggestion-note zibaldone-snippet", text: hit.text, attr: { dir: "auto" } });
  }

  override onChooseSuggestion(hit: Hit, event: MouseEvent | KeyboardEvent): void {
    void openPlace(this.app, placeOf(hit), event);
  }

  override onClose(): void {
    super.onClose();
    this.stopper.abort();
  }

  private async find(query: string, signal: AbortSignal): Promise<Hit[]> {
    if (query === "") {
      this.emptyStateText = say("search.type");
      return [];
    }
    const over = excess(query);
    if (over > 0) {
      this.emptyStateText = sayCount("search.tooLong", over);
      return [];
    }
    try {
      await pause(PAUSE_MS, signal);
      const client = await this.connect(signal);
      const found = await client.search({ query, k: MOST_HITS }, signal);
      this.emptyStateText = say("search.nothing");
      return found.hits;
    } catch (error) {
      if (isAbort(error)) return [];
      this.emptyStateText = sayFailure(asFailure(error));
      return [];
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = window.setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      window.clearTimeout(timer);
      reject(signal.reason instanceof Error ? signal.reason : new DOMException("", "AbortError"));
    });
  });
}
