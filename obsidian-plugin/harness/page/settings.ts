/** The settings window, with tabs that are declared (`getSettingDefinitions`) and drawn here. */
import type {
  PluginManifest,
  SettingControl,
  SettingDefinitionGroup,
  SettingDefinitionItem,
  SettingDefinitionPage,
} from "obsidian";
import { type DropdownComponent, Setting as MockSetting, type TextComponent } from "obsidian-test-mocks/obsidian";
import { setIcon } from "./functions";
import { Modal } from "./overlays";
import type { App } from "./types";

type Item = SettingDefinitionItem;
type Toggle = boolean | (() => boolean);

/** The mocks' setting, with the elements in Obsidian's order and under its class names, that hear what is typed and clicked. */
export class Setting extends MockSetting {
  constructor(containerEl: HTMLElement) {
    super(containerEl);
    this.settingEl.addClass("setting-item");
    this.infoEl.addClass("setting-item-info");
    this.nameEl.addClass("setting-item-name");
    this.descEl.addClass("setting-item-description");
    this.controlEl.addClass("setting-item-control");
    this.settingEl.append(this.infoEl, this.controlEl);
  }

  override addText(build: (text: never) => unknown): this {
    return super.addText((text) => {
      build(text as never);
      text.inputEl.addEventListener("input", () => void text.setValue(text.inputEl.value));
    });
  }

  override addDropdown(build: (dropdown: never) => unknown): this {
    return super.addDropdown((dropdown) => {
      build(dropdown as never);
      dropdown.selectEl.addEventListener("change", () => void dropdown.setValue(dropdown.selectEl.value));
    });
  }

  override addToggle(build: (toggle: never) => unknown): this {
    return super.addToggle((toggle) => {
      build(toggle as never);
      const { toggleEl } = toggle;
      toggleEl.addClass("checkbox-container");
      const show = () => toggleEl.toggleClass("is-enabled", toggle.getValue());
      toggleEl.addEventListener("click", () => (toggle.onClick(), show()));
      show();
    });
  }
}

export abstract class SettingTab {
  readonly containerEl = createDiv("vertical-tab-content");
  icon = "";
  settingItems: Item[] = [];
  #conditions: (() => void)[] = [];
  /** Names of the pages that were opened, one within the other. */
  #path: string[] = [];

  constructor(readonly app: App) {}

  getSettingDefinitions(): Item[] {
    return [];
  }

  getControlValue(_key: string): unknown {
    return undefined;
  }

  setControlValue(_key: string, _value: unknown): void | Promise<void> {}

  display(): void {}

  hide(): void {
    this.#path = [];
    this.containerEl.empty();
  }

  update(): void {
    this.settingItems = this.getSettingDefinitions();
    if (this.containerEl.isConnected) this.draw();
  }

  refreshDomState(): void {
    for (const apply of this.#conditions) apply();
  }

  draw(): void {
    this.containerEl.empty();
    this.#conditions = [];
    if (this.settingItems.length === 0) return this.display();
    if (this.#path.length > 0) this.#drawWayBack();
    for (const item of this.#itemsHere()) this.#drawItem(this.containerEl, item);
    this.refreshDomState();
  }

  #itemsHere(): Item[] {
    let here = this.settingItems;
    for (const name of this.#path) {
      const rows = here.flatMap((item) => ("type" in item && item.type !== "page" ? (item.items ?? []) : [item]));
      here = rows.find((row): row is SettingDefinitionPage => "type" in row && row.name === name)?.items ?? [];
    }
    return here;
  }

  #drawWayBack(): void {
    const back = this.containerEl.createDiv("setting-item setting-item-heading tappable");
    setIcon(back.createDiv("clickable-icon"), "arrow-left");
    back.createDiv({ cls: "setting-item-name", text: this.#path.at(-1) ?? "" });
    back.addEventListener("click", () => {
      this.#path.pop();
      this.draw();
    });
  }

  #drawItem(parent: HTMLElement, item: Item): void {
    if ("type" in item && item.type !== "page") return this.#drawGroup(parent, item);
    const setting = new Setting(parent).setName(item.name).setDesc(item.desc ?? "");
    this.#when(item.visible, (isVisible) => setting.settingEl.toggle(isVisible));
    if ("type" in item) return this.#drawPageRow(setting, item);
    if (item.control) this.#drawControl(setting, item.control);
    if (item.render) void item.render(setting as never, { listEl: parent } as never);
    if (!item.action) return;
    const act = item.action;
    setting.settingEl.addClass("mod-action", "tappable");
    setting.settingEl.addEventListener("click", () => act(setting.settingEl, 0));
  }

  #drawPageRow({ settingEl, controlEl }: Setting, { name, displayValue }: SettingDefinitionPage): void {
    const shown = typeof displayValue === "function" ? displayValue() : displayValue;
    controlEl.createSpan({ cls: "setting-item-description", text: shown ?? "" });
    setIcon(controlEl.createSpan(), "chevron-right");
    settingEl.addClass("mod-page", "tappable");
    settingEl.addEventListener("click", () => {
      this.#path.push(name);
      this.draw();
    });
  }

  #drawGroup(parent: HTMLElement, group: SettingDefinitionGroup): void {
    const el = parent.createDiv(`setting-group ${group.cls ?? ""}`);
    if (group.heading)
      el.createDiv("setting-item setting-item-heading").createDiv({ cls: "setting-item-name", text: group.heading });
    const list = el.createDiv("setting-items");
    for (const item of group.items ?? []) this.#drawItem(list, item);
    this.#when(group.visible, (isVisible) => el.toggle(isVisible));
  }

  #drawControl(setting: Setting, control: SettingControl): void {
    const value = this.getControlValue(control.key) ?? control.defaultValue;
    const store = async (given: unknown) => {
      const problem = await (control.validate as ((value: unknown) => unknown) | undefined)?.(given);
      setting.setErrorMessage(typeof problem === "string" ? problem : null);
      if (typeof problem !== "string") await this.setControlValue(control.key, given);
      this.refreshDomState();
    };
    this.#when(control.disabled ?? false, (isDisabled) => void setting.setDisabled(isDisabled));
    const fill = (component: unknown, shown = value) => void asControl(component).setValue(shown).onChange(store);
    if (control.type === "toggle") setting.addToggle((toggle: never) => fill(toggle));
    else if (control.type === "dropdown")
      setting.addDropdown((dropdown: DropdownComponent) => {
        dropdown.addOptions(control.options);
        fill(dropdown);
      });
    else
      setting.addText((text: TextComponent) => {
        text.setPlaceholder("placeholder" in control ? (control.placeholder ?? "") : "");
        fill(text, typeof value === "string" || typeof value === "number" ? String(value) : "");
      });
  }

  #when(condition: Toggle | undefined, apply: (value: boolean) => void): void {
    if (condition !== undefined)
      this.#conditions.push(() => apply(typeof condition === "function" ? condition() : condition));
  }
}

export abstract class PluginSettingTab extends SettingTab {
  constructor(
    app: App,
    readonly plugin: { settings?: Record<string, unknown>; saveData(data: unknown): Promise<void> },
  ) {
    super(app);
  }

  override getControlValue(key: string): unknown {
    return this.plugin.settings?.[key];
  }

  override async setControlValue(key: string, value: unknown): Promise<void> {
    this.plugin.settings = { ...this.plugin.settings, [key]: value };
    await this.plugin.saveData(this.plugin.settings);
  }
}

/** `app.setting`, which is not in the public API and which plugins use to open their tab. */
export class Settings {
  readonly #tabs = new Map<string, { manifest: PluginManifest; tab: SettingTab }>();
  #window: Modal | null = null;

  constructor(readonly app: App) {}

  add(manifest: PluginManifest, tab: SettingTab): void {
    this.#tabs.set(manifest.id, { manifest, tab });
    tab.update();
  }

  remove(id: string): void {
    this.#tabs.delete(id);
  }

  open(): void {
    this.#window ??= new Modal(this.app);
    this.#window.modalEl.addClass("mod-settings");
    this.#window.open();
  }

  openTabById(id: string): SettingTab | null {
    const { manifest, tab } = this.#tabs.get(id) ?? {};
    if (!manifest || !tab) return null;
    this.open();
    this.#window?.setTitle(manifest.name);
    this.#window?.contentEl.replaceChildren(tab.containerEl);
    this.#window?.setCloseCallback(() => tab.hide());
    tab.update();
    return tab;
  }

  close(): void {
    this.#window?.close();
  }
}

interface Control {
  setValue(value: unknown): Control;
  onChange(callback: (value: unknown) => unknown): Control;
}

function asControl(component: unknown): Control {
  return component as Control;
}
