/**
 * The text of one answer. While it is streamed, sealed blocks are rendered once each and the open one is plain text that
 * only grows; at the end the blocks of the checked answer take their place, and those that are the same stay.
 */
import { Component, MarkdownRenderer, type App } from "obsidian";
import { Slices } from "../frames";
import { Blocks, splitBlocks } from "./blocks";
import { restoreCode } from "./dress";
import { makeInert } from "./inert";
import { GrowingText } from "./growing";

interface Rendered {
  readonly source: string;
  readonly el: HTMLElement;
  /** Owns what the renderer and its post-processors registered. */
  readonly component: Component;
  readonly done: Promise<void>;
}

/** Blocks of one section: a browser looks at all children of an element that changed, so there are never many. */
const SECTION = 16;

export class AnswerText extends Component {
  private readonly el: HTMLElement;
  private readonly open: GrowingText;
  private section: HTMLElement;
  private readonly rendered: Rendered[] = [];
  private blocks = new Blocks();
  private length = 0;

  constructor(
    parent: HTMLElement,
    private readonly app: App,
  ) {
    super();
    this.el = parent.createDiv({ cls: "zibaldone-text markdown-rendered", attr: { dir: "auto" } });
    this.section = this.el.createDiv({ cls: "zibaldone-section" });
    this.open = new GrowingText(this.el.createDiv({ cls: "zibaldone-open-block" }));
  }

  /** `text` begins with what was given before. */
  stream(text: string): void {
    const sealed = this.blocks.push(text.slice(this.length));
    this.length = text.length;
    for (const source of sealed) this.rendered.push(this.render(source));
    if (sealed.length > 0) this.open.clear();
    this.open.grow(this.blocks.open);
  }

  /** The last word: `text` in place of what was streamed, a few blocks a frame; `dress` finishes each that is new. */
  async finish(text: string, dress: (el: HTMLElement) => void): Promise<void> {
    const slices = new Slices();
    const sources = splitBlocks(text);
    const open = this.blocks.open;
    for (const [at, source] of sources.entries()) {
      const old = this.rendered[at];
      if (old?.source !== source) {
        this.rendered[at] = this.render(source, old?.el);
        if (old) this.drop(old);
        else if (source === open) this.open.clear();
      }
      await this.rendered[at]?.done;
      if (this.rendered[at]) dress(this.rendered[at].el);
      await slices.pause(this.el);
    }
    this.open.clear();
    for (const old of this.rendered.splice(sources.length)) this.drop(old);
  }

  /** In the place before another, or at the end. */
  private render(source: string, before?: HTMLElement): Rendered {
    const { markdown, codes } = makeInert(source);
    const el = createDiv({ cls: "zibaldone-block" });
    if (before) before.before(el);
    else this.lastSection().append(el);
    const component = this.addChild(new Component());
    const done = MarkdownRenderer.render(this.app, markdown, el, "", component).then(
      () => restoreCode(el, codes),
      () => el.setText(source),
    );
    return { source, el, component, done };
  }

  private lastSection(): HTMLElement {
    if (this.section.childElementCount >= SECTION) {
      this.section.addClass("is-full");
      this.section = createDiv({ cls: "zibaldone-section" });
      this.open.el.before(this.section);
    }
    return this.section;
  }

  private drop(block: Rendered): void {
    this.removeChild(block.component);
    block.el.remove();
  }
}
