import type { Json, JsonObject, JsonSchema, Properties } from "@pergola/sdk";

/**
 * A plugin's own settings as its calls see them: without secrets, and with the places outside that they name.
 */
export interface OwnSettings {
  readonly settings: JsonObject;
  /** Folders, and origins of services: what the operator named is within reach of the plugin's calls. */
  readonly configured: { readonly folders: readonly string[]; readonly origins: readonly string[] };
}

const isRecord = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The schema of a record's field. */
function fieldOf({ properties, additionalProperties }: JsonSchema, key: string): JsonSchema {
  const rest = typeof additionalProperties === "object" ? additionalProperties : {};
  if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key] ?? rest;
  return rest;
}

/** Every text in a value whose schema has the format. */
function textsOf(format: string, value: Json, schema: JsonSchema): readonly string[] {
  if (typeof value === "string") return schema.format === format && value !== "" ? [value] : [];
  if (Array.isArray(value))
    return (value as readonly Json[]).flatMap((item) => textsOf(format, item, schema.items ?? {}));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => textsOf(format, item, fieldOf(schema, key)));
}

/** The value without what its schema calls secret, however deep that stands. */
export function withoutSecrets(value: Json, schema: JsonSchema): Json {
  if (schema["x-secret"] === true) return null;
  if (Array.isArray(value))
    return (value as readonly Json[]).map((item) => withoutSecrets(item, schema.items ?? {}));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withoutSecrets(item, fieldOf(schema, key))]),
  );
}

export function ownSettings(plugin: {
  readonly preferences: Properties;
  settings(): JsonObject;
}): OwnSettings {
  const values = Object.entries(plugin.settings()).map(
    ([key, value]) => [key, value, plugin.preferences[key] ?? {}] as const,
  );
  const texts = (format: string): readonly string[] =>
    values.flatMap(([, value, schema]) => textsOf(format, value, schema));
  return {
    settings: Object.fromEntries(values.map(([key, value, schema]) => [key, withoutSecrets(value, schema)])),
    configured: {
      folders: texts("path"),
      origins: texts("uri")
        .filter((url) => URL.canParse(url))
        .map((url) => new URL(url).origin),
    },
  };
}
