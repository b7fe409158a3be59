/** Settings of this device alone: they are kept outside the vault's files, so that no sync carries a path to a program. */
export interface DeviceSettings {
  /** Absolute; empty where `zib` is to be searched for. */
  readonly zibPath: string;
  readonly startAutomatically: boolean;
  /** What changes in the vault is left for later, also after a restart. */
  readonly indexPaused: boolean;
  /** Whether the first steps were gone through, or skipped. */
  readonly firstRunDone: boolean;
}

export interface LocalStorage {
  loadLocalStorage(key: string): unknown;
  saveLocalStorage(key: string, data: unknown): void;
}

export const DEFAULTS: DeviceSettings = {
  zibPath: "",
  startAutomatically: true,
  indexPaused: false,
  firstRunDone: false,
};
const KEY = "zibaldone-device";
/** What could not be read is kept here, as it was. */
export const ASIDE_KEY = `${KEY}-damaged`;
const VERSION = 1;

/** From the shape of each version to that of the next. */
const MIGRATIONS: readonly ((stored: Record<string, unknown>) => Record<string, unknown>)[] = [
  // Whoever has settings from before there were first steps needs none.
  (stored) => ({ ...stored, firstRunDone: true }),
];

/** Each value that cannot be used is the default; `damaged` names it. */
export function readDeviceSettings(stored: unknown): { settings: DeviceSettings; damaged: string[] } {
  if (stored === null || stored === undefined) return { settings: DEFAULTS, damaged: [] };
  if (typeof stored !== "object" || Array.isArray(stored)) return { settings: DEFAULTS, damaged: [KEY] };
  const values = migrate({ ...stored });
  const damaged: string[] = [];
  const read = <K extends keyof DeviceSettings>(name: K): DeviceSettings[K] => {
    const value = values[name] ?? DEFAULTS[name];
    if (typeof value === typeof DEFAULTS[name]) return value as DeviceSettings[K];
    damaged.push(name);
    return DEFAULTS[name];
  };
  const settings = {
    zibPath: read("zibPath"),
    startAutomatically: read("startAutomatically"),
    indexPaused: read("indexPaused"),
    firstRunDone: read("firstRunDone"),
  };
  return { settings, damaged };
}

function migrate(stored: Record<string, unknown>): Record<string, unknown> {
  const { version } = stored;
  const from = typeof version === "number" ? version : 0;
  return MIGRATIONS.slice(from).reduce((values, step) => step(values), stored);
}

export class DeviceStore {
  current: DeviceSettings;
  /** Names of what could not be read. It is put aside and replaced at once, so that it is said only once. */
  readonly damaged: readonly string[];

  constructor(private readonly storage: LocalStorage) {
    const stored = storage.loadLocalStorage(KEY);
    const { settings, damaged } = readDeviceSettings(stored);
    this.current = settings;
    this.damaged = damaged;
    if (damaged.length === 0) return;
    storage.saveLocalStorage(ASIDE_KEY, stored);
    this.change({});
  }

  change(values: Partial<DeviceSettings>): void {
    this.current = { ...this.current, ...values };
    this.storage.saveLocalStorage(KEY, { ...this.current, version: VERSION });
  }
}
