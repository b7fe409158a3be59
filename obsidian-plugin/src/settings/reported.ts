/** The sidecar's settings as rows: value, where it came from, and where to change it. Pure. */
import type { SettingDefinition, SettingDefinitionItem } from "obsidian";
import type { ConfigReport, SettingValue } from "../../../shared-schemas/zibaldone";
import { say, type Key } from "../words";

export function describeReport(report: ConfigReport | null): SettingDefinitionItem[] {
  if (!report) return [{ name: say("settings.reported.offline") }];
  const { config_file: config, vault_file: vault } = report;
  const how = vault
    ? say("settings.reported.how.vault", { config, vault })
    : say("settings.reported.how.desc", { config });
  const items: SettingDefinitionItem[] = [{ name: say("settings.reported.how"), desc: how }];
  if (report.warnings.length > 0) {
    const warnings = report.warnings.map((warning) => ({ name: warning }));
    items.push({ type: "group", heading: say("settings.reported.warnings"), items: warnings });
  }
  const values = Object.entries(report.settings).map(([key, value]) => describeValue(key, value));
  items.push({ type: "group", heading: say("settings.reported.values"), items: values });
  return items;
}

function describeValue(key: string, { value, source }: SettingValue): SettingDefinition {
  return { name: key, desc: say("settings.value", { value: sayValue(value), source: saySource(source) }) };
}

function sayValue(value: unknown): string {
  if (value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)) {
    return say("settings.value.empty");
  }
  if (typeof value === "boolean") return say(value ? "settings.on" : "settings.off");
  return Array.isArray(value)
    ? value.map(String).join(", ")
    : typeof value === "string"
      ? value
      : JSON.stringify(value);
}

const SOURCES: Readonly<Record<string, Key>> = {
  default: "settings.source.default",
  "user config": "settings.source.user",
  environment: "settings.source.environment",
  "vault settings": "settings.source.vault",
};

export function saySource(source: string): string {
  const key = SOURCES[source];
  return key ? say(key) : source;
}

/** Empty, or from the root (or the drive) on. */
export function isWholePath(path: string): boolean {
  return /^\s*($|\/|[a-z]:[\\/]|\\\\)/i.test(path);
}
