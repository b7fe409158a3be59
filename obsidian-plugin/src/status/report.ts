/** A status as a page. Paths, reasons and names come from the vault: they are set as text. */
import type { Component } from "obsidian";
import type { RoleStatus, SkippedFile, Status } from "../../../shared-schemas/zibaldone";
import { showHint } from "../hint";
import { say, sayBytes, sayCount, sayNumber, type Key } from "../words";

/** Lines of a list that are shown; a vault can have thousands of skipped files. */
const MOST_LISTED = 100;

export function showStatus(el: HTMLElement, status: Status, owned: boolean, owner: Component): void {
  const { notes, git } = status;
  section(el, "status.index");
  row(el, say("status.indexed"), sayNumber(notes.indexed));
  row(el, say("status.pending"), sayNumber(notes.pending));
  row(el, say("status.skipped"), sayNumber(notes.skipped));
  row(el, say("status.failed"), sayNumber(notes.failed));
  row(el, say("status.chunks"), sayNumber(status.chunks));
  row(el, say("status.vectors"), sayNumber(status.vectors));
  row(el, say("status.sync"), say(`status.sync.${status.sync_state}`));
  section(el, "status.models");
  for (const role of Object.values(status.models)) showRole(el, role, owner);
  section(el, "status.place");
  row(el, say("status.vault"), status.vault);
  showHint(row(el, say("status.git"), ""), sayGit(git), owner);
  row(el, say("status.disk"), sayBytes(status.disk_bytes));
  if (status.owner) {
    const values = { version: status.owner.version, pid: String(status.owner.pid) };
    row(el, say("status.owner"), say(owned ? "status.owner.own" : "status.owner.other", values));
  }
  list(el, "status.problems", status.problems);
  list(el, "status.skippedList", status.skipped);
}

/** States that this version has no words for are named as the sidecar does. */
function sayGit({ state: name, queued_commits: queued }: Status["git"]): string {
  if (name === "none") return say("status.git.none");
  const state = name === "ready" || name === "unborn" ? say("status.git.ready") : name;
  return queued > 0 ? sayCount("status.git.queued", queued, { state }) : state;
}

function showRole(el: HTMLElement, role: RoleStatus, owner: Component): void {
  const state = say(`status.model.${role.state}`);
  const value = row(el, sayRole(role.role), role.model ? `${role.model}: ${state}` : state);
  if (!role.hint) return;
  showHint(value.createDiv({ cls: "zibaldone-remark" }), role.hint, owner);
}

const ROLES: Readonly<Record<string, Key>> = {
  chat: "status.role.chat",
  extract: "status.role.extract",
  embed: "status.role.embed",
  rerank: "status.role.rerank",
};

function sayRole(role: string): string {
  const key = ROLES[role];
  return key ? say(key) : role;
}

function section(el: HTMLElement, key: Key): void {
  el.createDiv({ cls: "zibaldone-heading", text: say(key) });
}

function row(el: HTMLElement, name: string, value: string): HTMLElement {
  const line = el.createDiv({ cls: "zibaldone-status-row" });
  line.createSpan({ cls: "zibaldone-status-name", text: name });
  return line.createDiv({ cls: "zibaldone-status-value", text: value });
}

function list(el: HTMLElement, title: Key, files: readonly SkippedFile[]): void {
  if (files.length === 0) return;
  const details = el.createEl("details", { cls: "zibaldone-status-list" });
  details.createEl("summary", { text: `${say(title)} (${sayNumber(files.length)})` });
  for (const { path, reason } of files.slice(0, MOST_LISTED)) {
    const item = details.createDiv({ cls: "zibaldone-status-file" });
    item.createDiv({ text: path });
    item.createDiv({ cls: "zibaldone-remark", text: reason });
  }
  const more = files.length - MOST_LISTED;
  if (more > 0) details.createDiv({ cls: "zibaldone-remark", text: sayCount("status.more", more) });
}
