import { expect, test } from "vitest";
import type { ConfigReport, DoctorReport, Status } from "../../../shared-schemas/zibaldone";
import { ASIDE_KEY, DEFAULTS, DeviceStore, readDeviceSettings } from "../../src/settings/device";
import { writeReport } from "../../src/settings/diagnostics";
import { Changes, describeEditable } from "../../src/settings/editable";
import { describeReport, isWholePath } from "../../src/settings/reported";
import { example } from "../support/examples";

const KEY = "zibaldone-device";

class Storage {
  readonly values = new Map<string, unknown>();
  constructor(value: unknown = null) {
    this.values.set(KEY, value);
  }
  loadLocalStorage(key: string): unknown {
    return this.values.get(key);
  }
  saveLocalStorage(key: string, data: unknown): void {
    this.values.set(key, data);
  }
}

test("nothing stored is the default, and nothing to tell", () => {
  expect(new DeviceStore(new Storage())).toMatchObject({ current: DEFAULTS, damaged: [] });
});

test.each([["text"], [7], [[]], [{ zibPath: 7 }], [{ startAutomatically: "yes" }]])(
  "a damaged value is the default, said once: %j",
  (stored) => {
    const storage = new Storage(stored);
    const store = new DeviceStore(storage);
    expect({ ...store.current, firstRunDone: false }).toEqual(DEFAULTS);
    expect(storage.values.get(ASIDE_KEY)).toEqual(stored);
    expect(store.damaged).toHaveLength(1);
    expect(new DeviceStore(storage).damaged).toEqual([]);
  },
);

test("what is sound beside something damaged stays", () => {
  expect(readDeviceSettings({ zibPath: "/opt/zib", startAutomatically: 1 }).settings).toMatchObject({
    zibPath: "/opt/zib",
    startAutomatically: true,
  });
});

test("changes are kept", () => {
  const storage = new Storage();
  new DeviceStore(storage).change({ startAutomatically: false });
  expect(new DeviceStore(storage).current).toEqual({ ...DEFAULTS, startAutomatically: false });
});

test("settings from before there were first steps know that they are not needed", () => {
  expect(readDeviceSettings({ zibPath: "/opt/zib", startAutomatically: true }).settings.firstRunDone).toBe(true);
  expect(readDeviceSettings({ version: 1, firstRunDone: false }).settings.firstRunDone).toBe(false);
});

test("a change of the sidecar's settings is kept until it is applied, and one that changes nothing is none", () => {
  const report = example<ConfigReport>("ConfigReport.typical");
  const settings = {
    ...report.settings,
    writeback: { value: "full", source: "default" },
    "exclusions.folders": { value: ["Private"], source: "user config" },
    "memory.nightly_hour": { value: 4, source: "environment" },
  };
  const held = { ...report, settings };
  const changes = new Changes();
  expect(changes.shown("sidecar:exclusions.folders", held)).toBe("Private");
  expect(changes.take("sidecar:exclusions.folders", "Private/, Old stuff ,", held)).toBe(true);
  expect(changes.take("sidecar:writeback", "log", held)).toBe(true);
  expect(changes.take("zibPath", "/opt/zib", held)).toBe(false);
  expect(changes.all()).toEqual({ "exclusions.folders": ["Private", "Old stuff"], writeback: "log" });
  changes.take("sidecar:writeback", "full", held);
  expect(changes.size).toBe(1);
  const text = JSON.stringify(describeEditable(held, null));
  expect(text).toContain("Set elsewhere: environment variable.");
});

test("numbers outside of what the sidecar takes are refused, and said", () => {
  type Control = { key: string; validate?(value: unknown): string | undefined };
  const controls = (items: readonly unknown[]): Control[] =>
    items.flatMap((item) => {
      const { items: within, control } = item as { items?: unknown[]; control?: Control };
      return [...(control ? [control] : []), ...controls(within ?? [])];
    });
  const all = controls(describeEditable(example<ConfigReport>("ConfigReport.typical"), null));
  const refused = (name: string, value: unknown): string | undefined =>
    all.find(({ key }) => key === `sidecar:memory_of_vault.${name}`)?.validate?.(value);
  expect(refused("gap_hours", 24)).toBeUndefined();
  expect(refused("gap_hours", 2.5)).toBe("Give a number of 0 or more.");
  expect(refused("half_life_days", "many")).toBe("Give a number of 1 or more.");
  expect(refused("core_ratio", 0.5)).toBeUndefined();
  expect(refused("core_ratio", 1.5)).toBe("Give a number that fits: 0.05 to 1.");
  expect(all.map(({ key }) => key)).toContain("sidecar:memory_of_vault.write");
});

test("a report for help has no name and no text of a note", () => {
  const status = example<Status>("Status.typical");
  const doctor = example<DoctorReport>("DoctorReport.typical");
  const around = { plugin: "0.1.0", obsidian: "1.13.1", platform: "linux", language: "en" };
  const text = writeReport(around, { kind: "stopped" }, status, doctor);
  expect(text).toContain("plugin 0.1.0, Obsidian 1.13.1");
  expect(text).toContain(`notes: ${status.notes.indexed} indexed`);
  for (const { path, reason } of [...status.skipped, ...status.problems]) {
    expect(text).not.toContain(path);
    expect(text).not.toContain(reason);
  }
  expect(text).not.toContain(status.vault);
});

test("a path is whole or empty", () => {
  for (const path of ["", "  ", "/opt/My tools/zib", "C:\\zib\\zib.exe", "\\\\server\\zib.exe"]) {
    expect(isWholePath(path), path).toBe(true);
  }
  for (const path of ["zib", "./zib", "~/zib"]) expect(isWholePath(path), path).toBe(false);
});

test("the sidecar's settings are rows with value and source", () => {
  const items = describeReport(example<ConfigReport>("ConfigReport.typical"));
  const text = JSON.stringify(items);
  expect(text).toContain("retrieval.k");
  expect(text).toContain("5 (from: environment variable)");
  expect(text).toContain("Off (from: default)");
  expect(text).toContain("/home/ada/.config/zibaldone/config.toml");
  expect(text).toContain("Left out");
  expect(describeReport(null)).toHaveLength(1);
});
