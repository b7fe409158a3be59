import { expect, test } from "vitest";
import type { ConfigReport } from "../../../shared-schemas/zibaldone";
import { DEFAULTS, DeviceStore, readDeviceSettings } from "../../src/settings/device";
import { describeReport, isWholePath } from "../../src/settings/reported";
import { example } from "../support/examples";

class Storage {
  constructor(private value: unknown = null) {}
  loadLocalStorage(): unknown {
    return this.value;
  }
  saveLocalStorage(_key: string, data: unknown): void {
    this.value = data;
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
    expect(store.current).toEqual(DEFAULTS);
    expect(store.damaged).toHaveLength(1);
    expect(new DeviceStore(storage).damaged).toEqual([]);
  },
);

test("what is sound beside something damaged stays", () => {
  expect(readDeviceSettings({ zibPath: "/opt/zib", startAutomatically: 1 }).settings).toEqual({
    zibPath: "/opt/zib",
    startAutomatically: true,
  });
});

test("changes are kept", () => {
  const storage = new Storage();
  new DeviceStore(storage).change({ startAutomatically: false });
  expect(new DeviceStore(storage).current).toEqual({ zibPath: "", startAutomatically: false });
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
