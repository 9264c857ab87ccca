import { text } from "node:stream/consumers";
import { AppError, compareText, didYouMean, isObject, type Json, type JsonSchema } from "@pergola/sdk";
import { canonicalKeys } from "@pergola/sdk/host";
import { fromText } from "../settings/preferences.ts";
import { exitCodes } from "./exit-codes.ts";
import { printResult } from "./print-result.ts";
import { jsonOf, withService, type CommonOptions, type Service } from "./service.ts";
import { styled, textOfValue, visible } from "./visible.ts";

interface Described {
  readonly key: string;
  readonly type: Exclude<JsonSchema["type"], undefined>;
  readonly secret: boolean;
  readonly restart: boolean;
  readonly source: string;
}

interface Changed {
  readonly preferences: Readonly<Record<string, Json>>;
  readonly restartRequired: readonly string[];
}

type Preference = Described & { readonly value: Json };

async function preferencesOf(service: Service): Promise<readonly Preference[]> {
  const described = await jsonOf<{ readonly preferences: readonly Described[] }>(
    await service.call("GET", "/api/preferences/schema"),
  );
  const values = await jsonOf<Pick<Changed, "preferences">>(await service.call("GET", "/api/preferences"));
  return described.preferences.map((one) => ({ ...one, value: values.preferences[one.key] ?? null }));
}

/** The preference with this key, in either case form. Throws AppError `unknown_preference`. */
function find(all: readonly Preference[], key: string): Preference {
  const properties = Object.fromEntries(all.map((one) => [one.key, {}]));
  const [canonical] = Object.keys(canonicalKeys({ [key]: null }, { properties }).value as object);
  const found = all.find((one) => one.key === canonical);
  if (found !== undefined) return found;
  const message = `There is no preference "${key}".${didYouMean(key, Object.keys(properties))}`;
  throw new AppError({ code: "unknown_preference", message });
}

function textOf({ secret, value }: Pick<Preference, "secret" | "value">): string {
  const isSet = isObject(value) && value["set"] === true;
  if (secret) return isSet ? "(a secret, set)" : "(a secret, not set)";
  return visible(textOfValue(value));
}

function lineOf(preference: Preference): string {
  const { key, source } = preference;
  const origin = source === "default" ? "" : styled("dim", `  (${source})`);
  return `${styled("bold", key)} = ${textOf(preference)}${origin}\n`;
}

/** Lists the preferences whose key starts with the prefix, and where each value comes from. */
export async function listSettings(prefix: string | undefined, options: CommonOptions): Promise<number> {
  return withService(options, async (service) => {
    const listed = (await preferencesOf(service)).filter(({ key }) => key.startsWith(prefix ?? ""));
    const lines = listed.toSorted((a, b) => compareText(a.key, b.key)).map(lineOf);
    printResult(options, { preferences: listed }, lines.join(""));
    return exitCodes.ok;
  });
}

export async function getSetting(key: string, options: CommonOptions): Promise<number> {
  return withService(options, async (service) => {
    const found = find(await preferencesOf(service), key);
    printResult(options, found, `${textOf(found)}\n`);
    return exitCodes.ok;
  });
}

/** `-` reads the value from stdin, so that a secret stays out of the shell's history. */
export async function setSetting(key: string, given: string, options: CommonOptions): Promise<number> {
  const written = given === "-" ? (await text(process.stdin)).replace(/\r?\n$/, "") : given;
  return change(key, ({ type }) => fromText(written, { type }), options);
}

/** Back to the default, or to what something stronger says. */
export async function unsetSetting(key: string, options: CommonOptions): Promise<number> {
  return change(key, () => null, options);
}

async function change(key: string, value: (of: Preference) => Json, options: CommonOptions): Promise<number> {
  return withService(options, async (service) => {
    const before = find(await preferencesOf(service), key);
    const changed = await jsonOf<Changed>(
      await service.call("PATCH", "/api/preferences", { [before.key]: value(before) }),
    );
    const after = find(await preferencesOf(service), key);
    printResult(options, changed, lineOf(after));
    const waits = !service.own && changed.restartRequired.length > 0 && options.json !== true;
    if (waits) process.stderr.write(`${before.key} is in force once the service has been started again.\n`);
    return exitCodes.ok;
  });
}
