/**
 * The labs by name, and what can be set on each. `registry.json` is the one list of them: the server checks the Markdown
 * of packages against it, and this module reads what the server put on the page and what stands in the address.
 */

import * as v from "valibot";
import registryJson from "./registry.json";

const NumberSetting = v.object({
  kind: v.picklist(["number", "integer"]),
  least: v.number(),
  most: v.number(),
  default: v.number(),
});
const NumbersSetting = v.object({
  kind: v.literal("numbers"),
  least: v.number(),
  most: v.number(),
  fewest: v.number(),
  longest: v.number(),
  default: v.array(v.number()),
});
const TextsSetting = v.object({
  kind: v.literal("texts"),
  fewest: v.number(),
  longest: v.number(),
  default: v.array(v.string()),
});
const Setting = v.variant("kind", [NumberSetting, NumbersSetting, TextsSetting]);
const Registry = v.record(
  v.string(),
  v.object({
    title: v.string(),
    settings: v.record(v.string(), Setting),
    equally_long: v.optional(v.array(v.array(v.string()))),
  }),
);

type SettingRule = v.InferOutput<typeof Setting>;
export type Value = number | readonly number[] | readonly string[];
export type Settings = Readonly<Record<string, Value>>;

export const registry = v.parse(Registry, registryJson);

/** What can be set on the lab `name`. */
function rules(name: string): Record<string, SettingRule> {
  const lab = registry[name];
  if (lab === undefined) throw new Error(`There is no lab "${name}"; there are ${Object.keys(registry).join(", ")}.`);
  return lab.settings;
}

function valueSchema(rule: SettingRule): v.GenericSchema<unknown, Value> {
  if (rule.kind === "texts") return v.pipe(v.array(v.string()), v.minLength(rule.fewest), v.maxLength(rule.longest));
  const number = v.pipe(v.number(), v.finite(), v.minValue(rule.least), v.maxValue(rule.most));
  if (rule.kind === "numbers") return v.pipe(v.array(number), v.minLength(rule.fewest), v.maxLength(rule.longest));
  return rule.kind === "integer" ? v.pipe(number, v.integer()) : number;
}

/** The settings of a lab as a package placed it; what it leaves out has its default. Throws on anything unknown. */
export function placedSettings(name: string, placed: unknown): Settings {
  const known = rules(name);
  const entries = Object.entries(known).map(
    ([key, rule]) => [key, v.optional(valueSchema(rule), rule.default)] as const,
  );
  return v.parse(v.strictObject(Object.fromEntries(entries)), placed) as Settings;
}

/** `settings` with the values that the address has for them, such as `?circle.tau=0.1`; what can't be used is ignored. */
export function settingsFromQuery(name: string, prefix: string, query: string, settings: Settings): Settings {
  const known = rules(name);
  const changed: Record<string, Value> = { ...settings };
  for (const [parameter, text] of new URLSearchParams(query)) {
    if (!parameter.startsWith(`${prefix}.`)) continue;
    const key = parameter.slice(prefix.length + 1);
    const rule = Object.hasOwn(known, key) ? known[key] : undefined;
    if (rule === undefined || rule.kind === "texts") continue;
    const value = rule.kind === "numbers" ? text.split(",").map(parsedNumber) : parsedNumber(text);
    const parsed = v.safeParse(valueSchema(rule), bounded(value, rule));
    if (parsed.success) changed[key] = parsed.output;
  }
  return changed;
}

/** The query that gives `settings` again on a page where `base` holds; parameters of others in `query` stay. */
export function queryFromSettings(prefix: string, query: string, settings: Settings, base: Settings): string {
  const parameters = new URLSearchParams(query);
  for (const parameter of [...parameters.keys()]) {
    if (parameter.startsWith(`${prefix}.`)) parameters.delete(parameter);
  }
  for (const [key, value] of Object.entries(settings)) {
    const text = written(value);
    if (text !== written(base[key] ?? "")) parameters.set(`${prefix}.${key}`, text);
  }
  // Commas are legal in a query, and a list is easier to read with them.
  return parameters.toString().replace(/%2C/g, ",");
}

/** A number out of bounds is drawn to the bound; texts that are no numbers become null, which no schema takes. */
function bounded(value: number | null | (number | null)[], rule: { least: number; most: number }): unknown {
  if (Array.isArray(value)) return value.map((entry) => bounded(entry, rule));
  return value === null ? null : Math.min(rule.most, Math.max(rule.least, value));
}

function parsedNumber(text: string): number | null {
  const number = text.trim() === "" ? NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}

function written(value: Value | string): string {
  if (typeof value === "number") return String(Number(value.toPrecision(6)));
  if (typeof value === "string") return value;
  return value.map((entry) => (typeof entry === "number" ? written(entry) : entry)).join(",");
}

/** The settings of the labs, typed. */
export const TrainingSettings = v.object({
  tau: v.number(),
  m: v.number(),
  k: v.number(),
  eta: v.number(),
  speed: v.number(),
  seed: v.number(),
  steps: v.number(),
});
export type TrainingSettings = v.InferOutput<typeof TrainingSettings>;
export const CircleView = v.object({ turn: v.number() });
export const SphereView = v.object({ longitude: v.number(), latitude: v.number(), zoom: v.number() });
export type SphereView = v.InferOutput<typeof SphereView>;

export const OnePositiveSettings = v.object({ angles: v.array(v.number()), tau: v.number() });
export const TemperatureSettings = v.object({
  similarities: v.array(v.number()),
  labels: v.array(v.string()),
  taus: v.array(v.number()),
  tau: v.number(),
});
export const DictionarySizeSettings = v.object({
  positive: v.number(),
  "positive-spread": v.number(),
  negative: v.number(),
  "negative-spread": v.number(),
  tau: v.number(),
  trials: v.number(),
  largest: v.number(),
  k: v.number(),
  seed: v.number(),
});
export const FalseNegativesSettings = v.object({
  positive: v.number(),
  negatives: v.array(v.number()),
  from: v.number(),
  to: v.number(),
  tau: v.number(),
  "positive-angle": v.number(),
  "false-angle": v.number(),
  "far-angles": v.array(v.number()),
});
