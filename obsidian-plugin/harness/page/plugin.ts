/** `Plugin`: whatever it adds to the app goes when it is unloaded. And how Obsidian loads one from its bundle. */
import type {
  Command,
  HoverLinkSource,
  MarkdownPostProcessor,
  MarkdownPostProcessorContext,
  PluginManifest,
} from "obsidian";
import { Plugin as MockPlugin } from "obsidian-test-mocks/obsidian";
import { setIcon, setTooltip } from "./functions";
import { addCodeBlock, addPostProcessor } from "./markdown";
import type { SettingTab } from "./settings";
import type { App } from "./types";

/** Sources of `hover-link` that are known, as the page preview needs them to be. */
export const hoverSources = new Map<string, HoverLinkSource>();
export const protocolHandlers = new Map<string, (parameters: Record<string, string>) => unknown>();

export type CliHandler = (data: Record<string, string>) => string | Promise<string>;
export const cliHandlers = new Map<string, CliHandler>();

type CodeBlock = (source: string, el: HTMLElement, context: MarkdownPostProcessorContext) => unknown;

export abstract class Plugin extends MockPlugin {
  get #app(): App {
    return this.app as never;
  }

  override load(): void {
    void this.start();
  }

  /** As `load`, and says when `onload` has ended. */
  async start(): Promise<void> {
    if (this.loaded__) return;
    this.loaded__ = true;
    const loaded = this.onload() as unknown;
    for (const child of this.children__) child.load();
    await loaded;
  }

  override addCommand(command: Command): Command {
    const { commands } = this.#app;
    const added = {
      ...command,
      id: `${this.manifest.id}:${command.id}`,
      name: `${this.manifest.name}: ${command.name}`,
    };
    commands.addCommand(added);
    this.register(() => commands.removeCommand(added.id));
    return Object.assign(command, { id: added.id, name: added.name });
  }

  override removeCommand(id: string): void {
    this.#app.commands.removeCommand(`${this.manifest.id}:${id}`);
  }

  override addRibbonIcon(icon: string, title: string, callback: (event: MouseEvent) => unknown): HTMLElement {
    const button = document.body.find(".workspace-ribbon.mod-left").createDiv("clickable-icon side-dock-ribbon-action");
    setIcon(button, icon);
    setTooltip(button, title);
    button.addEventListener("click", (event) => void callback(event));
    this.register(() => button.remove());
    return button;
  }

  override addStatusBarItem(): HTMLElement {
    const item = document.body.find(".status-bar").createDiv(`status-bar-item plugin-${this.manifest.id}`);
    this.register(() => item.remove());
    return item;
  }

  override addSettingTab(tab: never): void {
    const added = tab as SettingTab;
    this.#app.setting.add(this.manifest, added);
    this.register(() => this.#app.setting.remove(this.manifest.id));
  }

  override registerView(type: string, creator: never): void {
    const { workspace } = this.#app;
    workspace.registerView(type, creator);
    this.register(() => workspace.unregisterView(type));
  }

  override registerHoverLinkSource(id: string, source: HoverLinkSource): void {
    hoverSources.set(id, source);
    this.register(() => hoverSources.delete(id));
  }

  override registerObsidianProtocolHandler(action: string, handler: (parameters: never) => unknown): void {
    protocolHandlers.set(action, handler as (parameters: Record<string, string>) => unknown);
    this.register(() => protocolHandlers.delete(action));
  }

  override registerCliHandler(command: string, _words: string, _flags: unknown, handler: CliHandler): void {
    if (cliHandlers.has(command)) throw new Error(`The command ${command} is registered already.`);
    cliHandlers.set(command, handler);
    this.register(() => cliHandlers.delete(command));
  }

  override registerMarkdownPostProcessor(processor: MarkdownPostProcessor): MarkdownPostProcessor {
    this.register(addPostProcessor(processor));
    return processor;
  }

  override registerMarkdownCodeBlockProcessor(language: string, handler: CodeBlock): MarkdownPostProcessor {
    this.register(addCodeBlock(language, handler));
    return () => undefined;
  }
}

type Bundle = { default: new (app: unknown, manifest: PluginManifest) => Plugin };

/** Evaluates the bundle as Obsidian does: a function of `module`, `exports` and `require`. */
export function evaluate(script: string, require: (name: string) => unknown): Bundle["default"] {
  const module = { exports: {} as Bundle };
  const source = `${script}\n//# sourceURL=plugin:zibaldone`;
  const run = new Function("module", "exports", "require", source) as (...given: unknown[]) => void;
  run(module, module.exports, require);
  return module.exports.default;
}
