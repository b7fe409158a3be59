/** The sidecar's settings that can be changed here: which they are, how each is asked for, and what was changed so far. */
import type { SettingDefinition, SettingDefinitionItem } from "obsidian";
import type { ConfigReport, Status } from "../../../shared-schemas/zibaldone";
import { say, type Key } from "../words";
import { saySource } from "./reported";

const PREFIX = "sidecar:";

interface Field {
  readonly key: string;
  readonly words: Key;
  readonly desc: Key;
  readonly kind: "text" | "toggle" | "hour" | "number" | "list" | "choice";
  /** Of a number. */
  readonly least?: number;
  readonly most?: number;
  readonly step?: number;
  readonly choices?: Readonly<Record<string, Key>>;
}

const MODELS: readonly Field[] = [
  { key: "models.chat", words: "settings.models.chat", desc: "settings.models.chat.desc", kind: "text" },
  { key: "models.embed", words: "settings.models.embed", desc: "settings.models.embed.desc", kind: "text" },
];
const INDEX: readonly Field[] = [
  { key: "exclusions.folders", words: "settings.index.exclude", desc: "settings.index.exclude.desc", kind: "list" },
  { key: "exclusions.include", words: "settings.index.include", desc: "settings.index.include.desc", kind: "list" },
  {
    key: "exclusions.use_obsidian",
    words: "settings.index.obsidian",
    desc: "settings.index.obsidian.desc",
    kind: "toggle",
  },
];
const WRITING: readonly Field[] = [
  {
    key: "writeback",
    words: "settings.writing.writeback",
    desc: "settings.writing.writeback.desc",
    kind: "choice",
    choices: { full: "settings.writing.full", log: "settings.writing.log", off: "settings.writing.off" },
  },
  {
    key: "approval",
    words: "settings.writing.approval",
    desc: "settings.writing.approval.desc",
    kind: "choice",
    choices: { notes: "settings.writing.notes", all: "settings.writing.all" },
  },
  { key: "folder", words: "settings.writing.folder", desc: "settings.writing.folder.desc", kind: "text" },
  { key: "read_only", words: "settings.writing.readOnly", desc: "settings.writing.readOnly.desc", kind: "toggle" },
];
const MEMORY: readonly Field[] = [
  { key: "memory.enabled", words: "settings.memory.enabled", desc: "settings.memory.enabled.desc", kind: "toggle" },
  { key: "memory.nightly", words: "settings.memory.nightly", desc: "settings.memory.nightly.desc", kind: "toggle" },
  { key: "memory.nightly_hour", words: "settings.memory.hour", desc: "settings.memory.hour.desc", kind: "hour" },
];
const VAULT_MEMORY: readonly Field[] = (["background", "write", "track"] as const).map((name) => ({
  key: `memory_of_vault.${name}`,
  words: `settings.vaultMemory.${name}`,
  desc: `settings.vaultMemory.desc.${name}`,
  kind: "toggle",
}));
/** Bounds are those of the sidecar, or just within where it has an open end. */
const TUNING: readonly Field[] = (
  [
    ["gap", "gap_hours", 0, undefined, 1],
    ["deviations", "deviations", 0.1, undefined, 0.1],
    ["driftDays", "drift_days", 1, undefined, 1],
    ["halfLife", "half_life_days", 1, undefined, 1],
    ["ratio", "core_ratio", 0.05, 1, 0.05],
    ["loss", "core_loss", 0, 1, 0.01],
  ] as const
).map(([words, key, least, most, step]) => ({
  key: `memory_of_vault.${key}`,
  words: `settings.vaultMemory.${words}`,
  desc: `settings.vaultMemory.desc.${words}`,
  kind: "number",
  least,
  ...(most === undefined ? {} : { most }),
  step,
}));
const FIELDS = [...MODELS, ...INDEX, ...WRITING, ...MEMORY, ...VAULT_MEMORY, ...TUNING];
/** What may be changed here; what comes from elsewhere would win over it. */
const CHANGEABLE: ReadonlySet<string> = new Set(["default", "user config"]);

/** Keeps what was changed and not applied yet. */
export class Changes {
  private readonly values = new Map<string, unknown>();

  get size(): number {
    return this.values.size;
  }

  all(): Record<string, unknown> {
    return Object.fromEntries(this.values);
  }

  clear(): void {
    this.values.clear();
  }

  /** As a control shows it; undefined for a key that is not one of these. */
  shown(control: string, report: ConfigReport | null): unknown {
    const field = fieldOf(control);
    if (!field) return undefined;
    const value = this.values.has(field.key) ? this.values.get(field.key) : report?.settings[field.key]?.value;
    if (field.kind === "list") return Array.isArray(value) ? value.join(", ") : "";
    return value;
  }

  /** Whether `control` is one of these. */
  take(control: string, given: unknown, report: ConfigReport | null): boolean {
    const field = fieldOf(control);
    if (!field) return false;
    const value = readValue(field, given);
    const same = JSON.stringify(value) === JSON.stringify(report?.settings[field.key]?.value);
    if (same) this.values.delete(field.key);
    else this.values.set(field.key, value);
    return true;
  }
}

export function describeEditable(report: ConfigReport | null, status: Status | null): SettingDefinitionItem[] {
  const models = MODELS.map((field) => describe(field, report, sayModel(status, field.key.replace("models.", ""))));
  return [
    { type: "group", heading: say("settings.models"), items: models },
    { type: "group", heading: say("settings.index"), items: INDEX.map((field) => describe(field, report)) },
    { type: "group", heading: say("settings.writing"), items: WRITING.map((field) => describe(field, report)) },
    { type: "group", heading: say("settings.memory"), items: MEMORY.map((field) => describe(field, report)) },
    {
      type: "group",
      heading: say("settings.vaultMemory"),
      items: [
        ...VAULT_MEMORY.map((field) => describe(field, report)),
        {
          type: "page",
          name: say("settings.vaultMemory.tuning"),
          desc: say("settings.vaultMemory.tuning.desc"),
          items: TUNING.map((field) => describe(field, report)),
        },
      ],
    },
  ];
}

function describe(field: Field, report: ConfigReport | null, state = ""): SettingDefinition {
  const source = report?.settings[field.key]?.source ?? "default";
  const changeable = CHANGEABLE.has(source);
  const elsewhere = changeable ? "" : say("settings.elsewhere", { source: saySource(source) });
  const desc = [say(field.desc), state, elsewhere].filter((part) => part !== "").join(" ");
  const disabled = !report || !changeable;
  return { name: say(field.words), desc, control: controlOf(field, disabled) };
}

function controlOf({ key, kind, choices = {}, least = 0, most, step = 1 }: Field, disabled: boolean) {
  const common = { key: PREFIX + key, disabled };
  switch (kind) {
    case "toggle":
      return { type: "toggle", ...common } as const;
    case "choice": {
      const options = Object.fromEntries(Object.entries(choices).map(([value, words]) => [value, say(words)]));
      return { type: "dropdown", options, ...common } as const;
    }
    case "hour":
      return { type: "number", min: 0, max: 23, step: 1, validate: refuseHour, ...common } as const;
    case "number": {
      const bounds = { min: least, step, ...(most === undefined ? {} : { max: most }) };
      const validate = (value: number) => refuseNumber(value, least, most, Number.isInteger(step));
      return { type: "number", ...bounds, validate, ...common } as const;
    }
    default:
      return { type: "text", ...common } as const;
  }
}

function refuseHour(value: number): string | undefined {
  const hour = Number(value);
  return Number.isInteger(hour) && hour >= 0 && hour < 24 ? undefined : say("settings.memory.noHour");
}

function refuseNumber(given: number, least: number, most: number | undefined, whole: boolean): string | undefined {
  const value = Number(given);
  if (Number.isFinite(value) && value >= least && value <= (most ?? value) && (!whole || Number.isInteger(value)))
    return undefined;
  return most === undefined ? say("settings.number.low", { least }) : say("settings.number.bad", { least, most });
}

function readValue({ kind }: Field, given: unknown): unknown {
  if (kind === "hour" || kind === "number") return Number(given);
  if (kind !== "list") return typeof given === "string" ? given.trim() : given;
  const parts = typeof given === "string" ? given.split(",") : [];
  return parts.map((part) => part.trim().replace(/\/+$/, "")).filter((part) => part !== "");
}

function fieldOf(control: string): Field | undefined {
  return FIELDS.find(({ key }) => control === PREFIX + key);
}

function sayModel(status: Status | null, role: string): string {
  const told = status?.models[role];
  return told ? say("settings.models.state", { state: say(`status.model.${told.state}`) }) : "";
}
