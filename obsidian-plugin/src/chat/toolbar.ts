/** The buttons above the conversation. */
import { setIcon, type Component } from "obsidian";
import { say, type Key } from "../words";

export interface ToolbarActions {
  startNew(): void;
  showHistory(): void;
  save(): void;
}

export function showToolbar(parent: HTMLElement, owner: Component, actions: ToolbarActions): void {
  const buttons = parent.createDiv({ cls: "nav-header" }).createDiv({ cls: "nav-buttons-container" });
  const add = (icon: string, label: Key, cls: string, action: () => void): void => {
    const button = buttons.createEl("button", {
      cls: `clickable-icon nav-action-button ${cls}`,
      attr: { type: "button", "aria-label": say(label) },
    });
    setIcon(button, icon);
    owner.registerDomEvent(button, "click", action);
  };
  add("square-pen", "chat.new", "zibaldone-new", () => actions.startNew());
  add("history", "chat.history", "zibaldone-show-history", () => actions.showHistory());
  add("save", "chat.save", "zibaldone-save", () => actions.save());
}
