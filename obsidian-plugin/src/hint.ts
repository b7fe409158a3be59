/** What went wrong and what to do about it, on the screen: commands as code, each with a button that copies it. */
import { setIcon, type Component } from "obsidian";
import { isCommand, typed } from "./command";
import type { Failure } from "./failure";
import { say } from "./words";

const BARE_COMMAND = /(^|[.:] )(zib(?: [\w.-]*\w)+)$/;

/** Words with commands between backticks, or one bare at their end. Nothing else in `text` is read as Markdown. */
export function showHint(el: HTMLElement, text: string, owner: Component): void {
  const marked = text.includes("`") ? text : text.replace(BARE_COMMAND, "$1`$2`");
  for (const [index, part] of marked.split("`").entries()) {
    if (index % 2 === 0) el.appendText(part);
    else if (isCommand(part)) showCommand(el, part, owner);
    else el.createEl("code", { text: part });
  }
}

function showCommand(el: HTMLElement, named: string, owner: Component): void {
  const command = typed(named);
  const box = el.createSpan({ cls: "zibaldone-command" });
  box.createEl("code", { text: command });
  const button = box.createEl("button", {
    cls: "clickable-icon zibaldone-copy",
    attr: { type: "button", "aria-label": say("failure.copy", { what: command }) },
  });
  setIcon(button, "copy");
  owner.registerDomEvent(button, "click", () => void copy(button, command));
}

export function showFailure(
  el: HTMLElement,
  failure: Pick<Failure, "message" | "hint" | "details">,
  owner: Component,
): void {
  el.createDiv({ cls: "zibaldone-failure-message", attr: { dir: "auto" } }, (line) =>
    showHint(line, failure.message, owner),
  );
  if (failure.hint) {
    el.createDiv({ cls: "zibaldone-failure-hint", attr: { dir: "auto" } }, (line) =>
      showHint(line, failure.hint, owner),
    );
  }
  if (!failure.details) return;
  const details = el.createEl("details", { cls: "zibaldone-failure-details" });
  details.createEl("summary", { text: say("failure.details") });
  details.createEl("pre", { text: failure.details });
}

async function copy(button: HTMLElement, command: string): Promise<void> {
  await button.win.navigator.clipboard.writeText(command);
  setIcon(button, "check");
  button.setAttribute("aria-label", say("failure.copied"));
}
