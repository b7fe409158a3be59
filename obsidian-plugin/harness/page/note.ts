/** The view of a note: a real CodeMirror editor, which jumps to a line and lights it up as Obsidian does. */
import { type ChangeSpec, EditorState, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, type ViewUpdate, ViewPlugin } from "@codemirror/view";
import type { EditorPosition } from "obsidian";
import { type TAbstractFile, TFile } from "obsidian-test-mocks/obsidian";
import { ItemView } from "./views";

interface Place {
  line?: number;
  subpath?: string;
  focus?: boolean;
}

const flash = StateEffect.define<number | null>();

/** The line that was jumped to, until something is changed. */
const flashing = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, { effects, docChanged }) {
    const asked = effects.find((effect) => effect.is(flash));
    if (asked?.is(flash))
      return asked.value === null
        ? Decoration.none
        : Decoration.set(Decoration.line({ class: "is-flashing" }).range(asked.value));
    return docChanged ? Decoration.none : shown;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const headings = ViewPlugin.fromClass(
  class {
    decorations = Decoration.none;
    constructor(view: EditorView) {
      this.decorations = findHeadings(view);
    }
    update({ docChanged, viewportChanged, view }: ViewUpdate): void {
      if (docChanged || viewportChanged) this.decorations = findHeadings(view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

function findHeadings(view: EditorView): DecorationSet {
  const found = new RangeSetBuilder<Decoration>();
  for (let number = 1; number <= view.state.doc.lines; number++) {
    const line = view.state.doc.line(number);
    const level = /^(#{1,6}) /.exec(line.text)?.[1]?.length;
    if (level) found.add(line.from, line.from, Decoration.line({ class: `HyperMD-header HyperMD-header-${level}` }));
  }
  return found.finish();
}

/** Obsidian's `Editor` over CodeMirror: what a plugin usually asks of it. */
export class NoteEditor {
  constructor(readonly cm: EditorView) {}

  getValue = () => this.cm.state.doc.toString();
  lineCount = () => this.cm.state.doc.lines;
  lastLine = () => this.cm.state.doc.lines - 1;
  getLine = (line: number) => this.cm.state.doc.line(line + 1).text;
  getSelection = () => this.cm.state.sliceDoc(this.#main.from, this.#main.to);
  somethingSelected = () => !this.#main.empty;
  hasFocus = () => this.cm.hasFocus;
  focus = () => this.cm.focus();
  posToOffset = ({ line, ch }: EditorPosition) =>
    Math.min(this.cm.state.doc.line(line + 1).from + ch, this.cm.state.doc.length);

  get #main() {
    return this.cm.state.selection.main;
  }

  offsetToPos(offset: number): EditorPosition {
    const line = this.cm.state.doc.lineAt(offset);
    return { line: line.number - 1, ch: offset - line.from };
  }

  getCursor(side: "from" | "to" | "head" | "anchor" = "head"): EditorPosition {
    return this.offsetToPos(this.#main[side]);
  }

  listSelections(): { anchor: EditorPosition; head: EditorPosition }[] {
    const { ranges } = this.cm.state.selection;
    return ranges.map(({ anchor, head }) => ({ anchor: this.offsetToPos(anchor), head: this.offsetToPos(head) }));
  }

  setCursor(at: EditorPosition | number, ch = 0): void {
    this.setSelection(typeof at === "number" ? { line: at, ch } : at);
  }

  setSelection(anchor: EditorPosition, head = anchor): void {
    this.cm.dispatch({ selection: { anchor: this.posToOffset(anchor), head: this.posToOffset(head) } });
  }

  getRange(from: EditorPosition, to: EditorPosition): string {
    return this.cm.state.sliceDoc(this.posToOffset(from), this.posToOffset(to));
  }

  setValue(text: string): void {
    this.#change({ from: 0, to: this.cm.state.doc.length, insert: text });
  }

  replaceRange(text: string, from: EditorPosition, to = from): void {
    this.#change({ from: this.posToOffset(from), to: this.posToOffset(to), insert: text });
  }

  replaceSelection(text: string): void {
    this.cm.dispatch(this.cm.state.replaceSelection(text));
  }

  transaction({ changes = [] }: { changes?: { text: string; from: EditorPosition; to?: EditorPosition }[] }): void {
    this.#change(
      changes.map(({ text, from, to = from }) => ({
        from: this.posToOffset(from),
        to: this.posToOffset(to),
        insert: text,
      })),
    );
  }

  scrollIntoView({ from }: { from: EditorPosition }): void {
    this.cm.dispatch({ effects: EditorView.scrollIntoView(this.posToOffset(from), { y: "center" }) });
  }

  #change(changes: ChangeSpec): void {
    this.cm.dispatch({ changes });
  }
}

export class NoteView extends ItemView {
  override navigation = true;
  file: TFile | null = null;
  readonly editor: NoteEditor;

  constructor(leaf: ConstructorParameters<typeof ItemView>[0]) {
    super(leaf);
    const parent = this.contentEl.createDiv("markdown-source-view cm-s-obsidian mod-cm6 is-readable-line-width");
    const extensions = [
      EditorView.lineWrapping,
      flashing,
      headings,
      EditorView.updateListener.of((update) => this.#typed(update)),
    ];
    this.editor = new NoteEditor(new EditorView({ parent, state: EditorState.create({ extensions }) }));
  }

  getViewType(): string {
    return "markdown";
  }

  getDisplayText(): string {
    return this.file?.basename ?? "No file";
  }

  override getState(): Record<string, unknown> {
    return { file: this.file?.path ?? null, mode: "source" };
  }

  override async setState(state: { file?: string }, _result: unknown): Promise<void> {
    const file = this.app.vault.getFileByPath(state.file ?? "");
    this.file = file;
    if (file) this.#show(await this.app.vault.read(file));
    this.titleEl.setText(this.getDisplayText());
  }

  getViewData(): string {
    return this.editor.getValue();
  }

  getMode(): string {
    return "source";
  }

  override setEphemeralState({ line, subpath, focus }: Place): void {
    const target = line ?? (subpath ? this.#lineOf(subpath.replace(/^#+/, "")) : undefined);
    if (target !== undefined) this.#jumpTo(target);
    else if (focus) this.editor.focus();
  }

  override getEphemeralState(): Record<string, unknown> {
    return { cursor: { from: this.editor.getCursor("from"), to: this.editor.getCursor("to") } };
  }

  /** What is on disk as far as this view knows; its own writes are no news to it. */
  #saved = "";
  readonly #written = new Set<string>();
  /** While it writes, others may read half of it. */
  #writing = 0;
  #saving: Promise<void> = Promise.resolve();

  /** As Obsidian does two seconds after the last key; here at once, and one after the other. */
  async save(): Promise<void> {
    const { file } = this;
    this.#saving = this.#saving.then(async () => {
      const text = this.editor.getValue();
      if (!file || text === this.#saved) return;
      this.#saved = text;
      this.#written.add(text);
      this.#writing++;
      await this.app.vault.modify(file, text).finally(() => this.#writing--);
    });
    await this.#saving;
  }

  override onload(): void {
    const reread = async (file: TAbstractFile) => {
      if (file !== this.file) return;
      const text = await this.app.vault.read(this.file);
      // Its own writes are no news, and unsaved words are not given up for what somebody else wrote.
      if (this.#writing === 0 && !this.#written.has(text) && this.editor.getValue() === this.#saved) this.#show(text);
    };
    const { vault } = this.app;
    this.registerEvent(vault.on("modify", (file) => void reread(file as TAbstractFile)));
    this.registerEvent(vault.on("rename", () => (this.titleEl.setText(this.getDisplayText()), this.leaf.pane.draw())));
    this.registerEvent(vault.on("delete", (file) => file instanceof TFile && this.app.workspace.forgetFile(file)));
  }

  override onunload(): void {
    this.editor.cm.destroy();
  }

  #typed({ docChanged, transactions }: ViewUpdate): void {
    const byHand = transactions.some(
      (transaction) => transaction.isUserEvent("input") || transaction.isUserEvent("delete"),
    );
    if (docChanged && byHand) void this.save();
    if (docChanged) this.app.workspace.trigger("editor-change", this.editor, this);
  }

  #show(text: string): void {
    this.#saved = text;
    this.#written.clear();
    if (text !== this.editor.getValue()) this.editor.setValue(text);
  }

  #jumpTo(line: number): void {
    const { doc } = this.editor.cm.state;
    const { from } = doc.line(Math.min(Math.max(line, 0), doc.lines - 1) + 1);
    const effects = [flash.of(from), EditorView.scrollIntoView(from, { y: "center" })];
    this.editor.cm.dispatch({ selection: { anchor: from }, effects });
    this.editor.focus();
  }

  #lineOf(heading: string): number | undefined {
    const wanted = heading.split("#").at(-1)?.trim().toLowerCase();
    const lines = this.editor.getValue().split("\n");
    const at = lines.findIndex(
      (line) => /^#{1,6} /.test(line) && line.replace(/^#+ /, "").trim().toLowerCase() === wanted,
    );
    return at < 0 ? undefined : at;
  }
}
