/**
 * The text of one answer. While it is streamed, sealed blocks are rendered once each and the open one is plain text that
 * only grows; at the end the blocks of the checked answer take their place, and those that are the same stay.
 */
import { Component, MarkdownRenderer, type App } from "obsidian";
import { Blocks, splitBlocks } from "./blocks";
import { restoreCode } from "./dress";
import { makeInert } from "./inert";

interface Rendered {
  readonly source: string;
  readonly el: HTMLElement;
  /** Owns what the renderer and its post-processors registered. */
  readonly component: Component;
  readonly done: Promise<void>;
}

export class AnswerText extends Component {
  private readonly el: HTMLElement;
  private readonly openEl: HTMLElement;
  private readonly openText: Text;
  private readonly rendered: Rendered[] = [];
  private blocks = new Blocks();
  private length = 0;

  constructor(
    parent: HTMLElement,
    private readonly app: App,
  ) {
    super();
    this.el = parent.createDiv({ cls: "zibaldone-text markdown-rendered", attr: { dir: "auto" } });
    this.openEl = this.el.createDiv({ cls: "zibaldone-open-block" });
    this.openText = this.el.doc.createTextNode("");
    this.openEl.append(this.openText);
  }

  /** `text` begins with what was given before. */
  stream(text: string): void {
    const sealed = this.blocks.push(text.slice(this.length));
    this.length = text.length;
    for (const source of sealed) this.rendered.push(this.render(source));
    const open = this.blocks.open;
    const shown = this.openText.data;
    if (sealed.length === 0 && open.startsWith(shown)) this.openText.appendData(open.slice(shown.length));
    else this.openText.data = open;
  }

  /** The last word: `text` in place of what was streamed. Resolves with the element that holds it all, rendered. */
  async finish(text: string): Promise<HTMLElement> {
    const sources = splitBlocks(text);
    this.openText.data = "";
    let same = 0;
    while (same < sources.length && this.rendered[same]?.source === sources[same]) same++;
    for (const old of this.rendered.splice(same)) this.drop(old);
    for (const source of sources.slice(same)) this.rendered.push(this.render(source));
    await Promise.all(this.rendered.map((block) => block.done));
    return this.el;
  }

  private render(source: string): Rendered {
    const { markdown, codes } = makeInert(source);
    const el = createDiv({ cls: "zibaldone-block" });
    this.openEl.before(el);
    const component = this.addChild(new Component());
    const done = MarkdownRenderer.render(this.app, markdown, el, "", component).then(
      () => restoreCode(el, codes),
      () => el.setText(source),
    );
    return { source, el, component, done };
  }

  private drop(block: Rendered): void {
    this.removeChild(block.component);
    block.el.remove();
  }
}
