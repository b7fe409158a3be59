/** Settings of this device alone: they are kept outside the vault's files, so that no sync carries a path to a program. */
export interface DeviceSettings {
  /** Absolute; empty where `zib` is to be searched for. */
  readonly zibPath: string;
  readonly startAutomatically: boolean;
}

export interface LocalStorage {
  loadLocalStorage(key: string): unknown;
  saveLocalStorage(key: string, data: unknown): void;
}

export const DEFAULTS: DeviceSettings = { zibPath: "", startAutomatically: true };
const KEY = "zibaldone-device";

/** Each value that cannot be used is the default; `damaged` names it. */
export function readDeviceSettings(stored: unknown): { settings: DeviceSettings; damaged: string[] } {
  if (stored === null || stored === undefined) return { settings: DEFAULTS, damaged: [] };
  if (typeof stored !== "object" || Array.isArray(stored)) return { settings: DEFAULTS, damaged: [KEY] };
  const { zibPath = DEFAULTS.zibPath, startAutomatically = DEFAULTS.startAutomatically } = stored as Record<
    string,
    unknown
  >;
  const damaged: string[] = [];
  if (typeof zibPath !== "string") damaged.push("zibPath");
  if (typeof startAutomatically !== "boolean") damaged.push("startAutomatically");
  const settings = {
    zibPath: typeof zibPath === "string" ? zibPath : DEFAULTS.zibPath,
    startAutomatically: typeof startAutomatically === "boolean" ? startAutomatically : DEFAULTS.startAutomatically,
  };
  return { settings, damaged };
}

export class DeviceStore {
  current: DeviceSettings;
  /** Names of what could not be read. It is replaced at once, so that it is said only once. */
  readonly damaged: readonly string[];

  constructor(private readonly storage: LocalStorage) {
    const { settings, damaged } = readDeviceSettings(storage.loadLocalStorage(KEY));
    this.current = settings;
    this.damaged = damaged;
    if (damaged.length > 0) this.change({});
  }

  change(values: Partial<DeviceSettings>): void {
    this.current = { ...this.current, ...values };
    this.storage.saveLocalStorage(KEY, this.current);
  }
}
