import { App, type App as ObsidianApp } from "obsidian";
import { expect, test } from "vitest";
import type { Status } from "../../../shared-schemas/zibaldone";
import { fail } from "../../src/sidecar/failure";
import { StatusModal } from "../../src/status/modal";
import { StatusWatch } from "../../src/status/watch";
import { example } from "../support/examples";
import { FakeSupervisor, fakeClient, ready, settle } from "../support/fakes";

const app = (App as unknown as { createConfigured__(): ObsidianApp }).createConfigured__();

function open(supervisor: FakeSupervisor): StatusModal {
  const modal = new StatusModal(app, supervisor, new StatusWatch(supervisor, () => false));
  modal.onOpen();
  return modal;
}

test("says what is indexed, what lacks and what to type", async () => {
  const { contentEl } = open(new FakeSupervisor(ready()));
  await settle();
  const text = contentEl.textContent ?? "";
  for (const words of ["416", "Not installed", "zib models pull multilingual-e5-small", "not UTF-8 text", "18.4 MB"]) {
    expect(text).toContain(words);
  }
});

test("a list that was opened stays open when nothing changed", async () => {
  const modal = open(new FakeSupervisor(ready()));
  await settle();
  const list = modal.contentEl.find("details");
  modal.contentEl.find(".zibaldone-refresh").click();
  await settle();
  expect(modal.contentEl.find("details")).toBe(list);
});

test("without a sidecar it says why, and follows it", async () => {
  const supervisor = new FakeSupervisor({ kind: "failed", failure: fail("zib_missing", "sidecar.missing") });
  const modal = open(supervisor);
  await settle();
  expect(modal.contentEl.textContent).toContain("scripts/setup");
  modal.contentEl.find(".zibaldone-restart").click();
  expect(supervisor.restarts).toBe(1);
  const status = example<Status>("Status.typical");
  supervisor.become(ready(fakeClient({ status: async () => status })));
  await settle();
  expect(modal.contentEl.textContent).toContain("416");
  modal.onClose();
  expect(supervisor.listening).toBe(0);
});
