/** What the next question is limited to, above the text: a chip for each, which takes itself away. */
import { Component, setIcon } from "obsidian";
import { say } from "../words";
import type { Limits } from "./limits";
import { SCOPE_ICONS, sayScope, writeScope, type Scope } from "./scope";

export class Chips extends Component {
  private readonly el: HTMLElement;
  private content = new Component();
  private shown = "";

  constructor(
    parent: HTMLElement,
    private readonly limits: Limits,
    /** After one was taken away. */
    private readonly removed: () => void,
  ) {
    super();
    this.el = parent.createDiv({ cls: "zibaldone-context" });
  }

  update(): void {
    const { limits } = this;
    const state = limits.scopes.map((scope) => `${writeScope(scope)} ${limits.isGone(scope)}`).join("\n");
    if (state === this.shown) return;
    this.shown = state;
    this.removeChild(this.content);
    this.content = this.addChild(new Component());
    this.el.empty();
    for (const scope of limits.scopes) this.showChip(scope, limits.isGone(scope));
  }

  private showChip(scope: Scope, gone: boolean): void {
    const chip = this.el.createDiv({ cls: "zibaldone-about" });
    chip.toggleClass("is-gone", gone);
    setIcon(chip.createSpan({ cls: "zibaldone-icon" }), gone ? "alert-triangle" : SCOPE_ICONS[scope.kind]);
    const what = sayScope(scope);
    const words = gone ? say("composer.aboutGone", { note: what }) : say("composer.about", { note: what });
    chip.createSpan({ cls: "zibaldone-about-name", text: words, attr: { dir: "auto" } });
    const remove = chip.createEl("button", {
      cls: gone ? "zibaldone-about-remove" : "clickable-icon zibaldone-about-remove",
      attr: { type: "button", "aria-label": say("composer.aboutRemove", { note: what }) },
    });
    if (gone) remove.setText(say(this.limits.scopes.length > 1 ? "composer.askWithout" : "composer.askAll"));
    else setIcon(remove, "x");
    this.content.registerDomEvent(remove, "click", () => {
      this.limits.remove(scope);
      this.removed();
    });
  }
}
