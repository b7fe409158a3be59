/** Search by words and meaning, in Obsidian's own kind of dialog. */
import { Notice, Platform, SuggestModal, type App } from "obsidian";
import type { Hit, SearchResponse } from "../../../shared-schemas/zibaldone";
import { asFailure, sayFailure, sayPlain } from "../failure";
import { excess, refuseFloods } from "../limit";
import { folderOf, noteName, openPlace, placeOf, withoutExtension } from "../place";
import type { SidecarClient } from "../sidecar/client";
import { isAbort } from "../sidecar/failure";
import { say, sayCount } from "../words";
import { sayExplanation, sayWhy } from "./why";

const PAUSE_MS = 150;
const MOST_HITS = 20;

export class SearchModal extends SuggestModal<Hit> {
  private stopper = new AbortController();
  private latest: Promise<Hit[]> = Promise.resolve([]);
  /** Above the hits: what there is to say about the search itself. */
  private readonly remarks = createDiv({ cls: "zibaldone-search-remarks", attr: { role: "status" } });

  constructor(
    app: App,
    private readonly connect: (signal: AbortSignal) => Promise<SidecarClient>,
    private readonly begun = "",
  ) {
    super(app);
    const mod = Platform.isMacOS ? "⌘" : "Ctrl";
    this.modalEl.addClass("zibaldone-search");
    this.resultContainerEl.before(this.remarks);
    this.emptyStateText = say("search.type");
    this.setPlaceholder(say("search.placeholder"));
    this.setInstructions([
      { command: "↵", purpose: say("search.open") },
      { command: `${mod} ↵`, purpose: say("search.newTab") },
      { command: `${mod} I`, purpose: say("search.why") },
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
    this.scope.register(["Mod"], "i", () => {
      this.modalEl.classList.toggle("is-explained");
      this.resultContainerEl.querySelector(".is-selected")?.scrollIntoView({ block: "nearest" });
      return false;
    });
  }

  override onOpen(): void {
    void super.onOpen();
    if (!this.begun) return;
    this.inputEl.value = this.begun;
    this.inputEl.dispatchEvent(new Event("input"));
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
    if (hit.also.length > 0) {
      const notes = hit.also.map(withoutExtension).join(", ");
      content.createDiv({ cls: "suggestion-note zibaldone-snippet", text: say("search.also", { notes }) });
    }
    content.createDiv({ cls: "suggestion-note zibaldone-why", text: sayWhy(hit) });
  }

  override onChooseSuggestion(hit: Hit, event: MouseEvent | KeyboardEvent): void {
    void openPlace(this.app, placeOf(hit), event);
  }

  override onClose(): void {
    super.onClose();
    this.stopper.abort();
  }

  private async find(query: string, signal: AbortSignal): Promise<Hit[]> {
    if (query === "") return this.showNothing(say("search.type"));
    const over = excess(query);
    if (over > 0) return this.showNothing(sayCount("search.tooLong", over));
    try {
      await pause(PAUSE_MS, signal);
      const client = await this.connect(signal);
      const found = await client.search({ query, k: MOST_HITS, explain: true }, signal);
      signal.throwIfAborted();
      this.emptyStateText = say("search.nothing");
      this.showRemarks(found);
      return found.hits;
    } catch (error) {
      return isAbort(error) ? [] : this.showNothing(sayFailure(asFailure(error)));
    }
  }

  private showNothing(reason: string): Hit[] {
    this.emptyStateText = reason;
    this.remarks.empty();
    return [];
  }

  private showRemarks({ notes, explanation }: SearchResponse): void {
    this.remarks.empty();
    for (const note of notes)
      this.remarks.createDiv({ cls: "zibaldone-remark", text: sayPlain(note), attr: { dir: "auto" } });
    if (explanation)
      this.remarks.createDiv({ cls: "zibaldone-remark zibaldone-why", text: sayExplanation(explanation) });
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
