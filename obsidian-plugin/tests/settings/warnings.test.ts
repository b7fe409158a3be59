import { Component, Notice } from "obsidian";
import { afterEach, expect, test, vi } from "vitest";
import type { ConfigReport } from "../../../shared-schemas/zibaldone";
import { tellWarnings } from "../../src/settings/warnings";
import { example } from "../support/examples";
import { FakeSupervisor, fakeClient, ready, settle } from "../support/fakes";

afterEach(() => void vi.restoreAllMocks());

test("a settings file that cannot be read is told once, and not after the plugin", async () => {
  const hide = vi.spyOn(Notice.prototype, "hide");
  const fragments = vi.spyOn(window, "createFragment");
  const report = { ...example<ConfigReport>("ConfigReport.typical"), warnings: ["/c/config.toml cannot be read."] };
  const config = vi.fn(async () => report);
  const supervisor = new FakeSupervisor();
  const owner = new Component();
  owner.load();
  tellWarnings(supervisor, owner);
  for (let start = 0; start < 2; start++) {
    supervisor.become({ kind: "starting", attempt: 1 });
    supervisor.become(ready(fakeClient({ config })));
    await settle();
  }
  expect(config).toHaveBeenCalledTimes(2);
  expect(fragments).toHaveBeenCalledTimes(1);
  owner.unload();
  expect(hide).toHaveBeenCalledOnce();
  expect(supervisor.listening).toBe(0);
});
