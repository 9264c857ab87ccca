import type { Json, JsonSchema, Preference } from "@pergola/sdk";
import { holdsSecret } from "./holds-secret.ts";

const isEmpty = (value: Json): boolean =>
  value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);

/** The value as it may be shown: of a secret, only whether there is one. */
export const shown = ({ schema, value }: Preference): Json =>
  holdsSecret(schema) ? { set: !isEmpty(value) } : value;

/** By key. */
export const wirePreferences = (preferences: readonly Preference[]): Readonly<Record<string, Json>> =>
  Object.fromEntries(preferences.map((preference) => [preference.key, shown(preference)]));

const limits = ["enum", "minimum", "maximum", "minLength", "maxLength", "pattern"] as const;

/** The limits of a value, in the words of JSON Schema; null where there are none. */
function rangeOf(schema: JsonSchema): Readonly<Record<string, unknown>> | null {
  const found = limits
    .filter((name) => schema[name] !== undefined)
    .map((name) => [name, schema[name]] as const);
  return found.length === 0 ? null : Object.fromEntries(found);
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
