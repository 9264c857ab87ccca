import type { Json, JsonSchema, Preference } from "@pergola/sdk";
import { holdsSecret } from "./holds-secret.ts";

const isEmpty = (value: Json): boolean =>
  value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);

/** The value as it may be shown: of a secret, only whether there is one. */
export function publicValue({ schema, value }: Preference): Json {
  if (holdsSecret(schema)) return { set: !isEmpty(value) };
  return value;
}

/** By key. */
export const wirePreferences = (preferences: readonly Preference[]): Readonly<Record<string, Json>> =>
  Object.fromEntries(preferences.map((preference) => [preference.key, publicValue(preference)]));

const limits = ["enum", "minimum", "maximum", "minLength", "maxLength", "pattern"] as const;

/** The limits of a value, in the words of JSON Schema; null where there are none. */
function rangeOf(schema: JsonSchema): Readonly<Record<string, unknown>> | null {
  const names = limits.filter((name) => schema[name] !== undefined);
  if (names.length === 0) return null;
  return Object.fromEntries(names.map((name) => [name, schema[name]]));
}

/** What there is to know of a preference, but for its value. */
export const wireSchema = ({ key, schema, from }: Preference) => ({
  key,
  type: schema.type ?? "string",
  default: schema.default ?? null,
  range: rangeOf(schema),
  secret: holdsSecret(schema),
  protected: schema["x-protected"] === true,
  restart: schema["x-restart"] === true || schema["x-early"] === true,
  description: schema.description ?? "",
  source: from,
});
