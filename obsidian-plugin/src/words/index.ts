/** What the plugin says, in the person's language. Knows no Obsidian: `main` says which language it is. */
import de from "./de";
import en from "./en";

export type Key = keyof typeof en;
/** Keys that exist as `KEY.one` and `KEY.other`. */
export type CountedKey = Key extends infer K ? (K extends `${infer Stem}.one` ? Stem : never) : never;
export type Values = Readonly<Record<string, string | number>>;

const tables = { en, de };
type Language = keyof typeof tables;

let language: Language = "en";

/** `code` as Obsidian gives it (`de`, `en-GB`, `pt-BR`); a language that has no table is English. */
export function useLanguage(code: string): void {
  const [main = "en"] = code.toLowerCase().split("-");
  language = main === "de" ? "de" : "en";
}

/** The words of `key`; `{name}` is replaced by `values.name`, numbers as the language writes them. */
export function say(key: Key, values: Values = {}): string {
  return tables[language][key].replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === "number" ? sayNumber(value) : value;
  });
}

/** The words for `count` things; `{count}` stands for the number. */
export function sayCount(key: CountedKey, count: number, values: Values = {}): string {
  const form = new Intl.PluralRules(language).select(count) === "one" ? "one" : "other";
  return say(`${key}.${form}` as Key, { ...values, count });
}

export function sayNumber(value: number): string {
  return new Intl.NumberFormat(language).format(value);
}

/** An ISO day (`2026-03-04`) as "Wednesday, March 4". */
export function sayDay(day: string): string {
  const form = { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(language, form).format(new Date(`${day}T00:00:00Z`));
}

/** An ISO day as "Mar 4, 2026". */
export function sayDate(day: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" }).format(
    new Date(`${day}T00:00:00Z`),
  );
}

/** A month (`2026-03`) as "March 2026". */
export function sayMonth(month: string): string {
  const form = { month: "long", year: "numeric", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(language, form).format(new Date(`${month}-01T00:00:00Z`));
}

/** A moment (ISO 8601) as "4 Mar 2026, 09:30", in the person's zone. */
export function sayWhen(moment: string): string {
  const at = new Date(moment);
  if (Number.isNaN(at.getTime())) return moment;
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(at);
}

/** A share of 0..1, in whole per cent. */
export function sayShare(value: number): string {
  return new Intl.NumberFormat(language, { style: "percent" }).format(value);
}

/** A size in the unit that a person would choose. */
export function sayBytes(bytes: number): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const unit = units[power] ?? "byte";
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** power);
}
