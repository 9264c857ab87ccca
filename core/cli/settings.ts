import { text } from "node:stream/consumers";
import { compareText, didYouMean, isObject, type Json, type JsonSchema } from "@pergola/sdk";
import { canonicalKeys } from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import { fromText } from "../settings/preferences.ts";
import { printNote, printResult } from "./print-result.ts";
import { withService, type CommonOptions, type Service } from "./service.ts";
import { styled, textOfValue, visible } from "./visible.ts";

interface Described {
  readonly key: string;
  readonly type: Exclude<JsonSchema["type"], undefined>;
  readonly secret: boolean;
  readonly restart: boolean;
  readonly source: string;
}

interface Descriptions {
  readonly preferences: readonly Described[];
}

interface Values {
  readonly preferences: Readonly<Record<string, Json>>;
}

interface Changed extends Values {
  readonly restartRequired: readonly string[];
}

type Preference = Described & { readonly value: Json };

async function preferencesOf(service: Service): Promise<readonly Preference[]> {
  const described = await service.get<Descriptions>("/api/preferences/schema");
  const values = await service.get<Values>("/api/preferences");
  return described.preferences.map((one) => ({ ...one, value: values.preferences[one.key] ?? null }));
}

/** The preference with this key, in either case form. Throws AppError `unknown_preference`. */
async function find(service: Service, key: string): Promise<Preference> {
  const all = await preferencesOf(service);
  const properties = Object.fromEntries(all.map((one) => [one.key, {}]));
  const [canonical] = Object.keys(canonicalKeys({ [key]: null }, { properties }).value as object);
  const found = all.find((one) => one.key === canonical);
  if (found !== undefined) return found;
  const hint = didYouMean(key, Object.keys(properties));
  throw fault("unknown_preference", `There is no preference "${key}".${hint}`);
}

function textOf({ secret, value }: Preference): string {
  if (!secret) return visible(textOfValue(value));
  const isSet = isObject(value) && value["set"] === true;
  return isSet ? "(a secret, set)" : "(a secret, not set)";
}

function lineOf(preference: Preference): string {
  const { key, source } = preference;
  const line = `${styled("bold", key)} = ${textOf(preference)}`;
  if (source === "default") return line;
  return line + styled("dim", `  (${source})`);
}

/** Lists the preferences whose key starts with the prefix, and where each value comes from. */
export async function listSettings(
  service: Service,
  prefix: string | undefined,
  options: CommonOptions,
): Promise<void> {
  const all = await preferencesOf(service);
  const listed = all.filter(({ key }) => key.startsWith(prefix ?? ""));
  const sorted = listed.toSorted((a, b) => compareText(a.key, b.key));
  printResult(options, { preferences: listed }, sorted.map(lineOf));
}

export async function getSetting(service: Service, key: string, options: CommonOptions): Promise<void> {
  const found = await find(service, key);
  printResult(options, found, [textOf(found)]);
}

/** Changes a preference. `-` reads it from stdin, so that a secret stays out of the shell's history. */
export async function setSetting(key: string, value: string, options: CommonOptions): Promise<void> {
  const written = value === "-" ? (await text(process.stdin)).replace(/\r?\n$/, "") : value;
  await withService({ ...options, secretsMayMiss: true }, (service) =>
    change(service, key, ({ type }) => valueOf(written, type), options),
  );
}

/** Where a secret lies, written out; everything else is read as the preference's type. */
function valueOf(written: string, type: Described["type"]): Json {
  if (/^\{\s*"(env|file|secret)"\s*:\s*"[^"\\]*"\s*\}$/.test(written)) return JSON.parse(written) as Json;
  return fromText(written, { type });
}

/** Goes back to the default, or to what something stronger says. */
export const unsetSetting = (service: Service, key: string, options: CommonOptions): Promise<void> =>
  change(service, key, () => null, options);

async function change(
  service: Service,
  name: string,
  valueFor: (preference: Preference) => Json,
  options: CommonOptions,
): Promise<void> {
  const before = await find(service, name);
  const { key } = before;
  const changed = await service.send<Changed>("PATCH", "/api/preferences", { [key]: valueFor(before) });
  printResult(options, changed, [lineOf(await find(service, key))]);
  if (service.own || options.json || changed.restartRequired.length === 0) return;
  printNote(`${key} is in force once the service has been started again.`);
}
