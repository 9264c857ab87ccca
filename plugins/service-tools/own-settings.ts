import { isObject, type Json, type JsonObject, type JsonSchema, type Properties } from "@pergola/sdk";

/**
 * A plugin's own settings as its calls see them: without secrets, and with the places outside that they name.
 */
export interface OwnSettings {
  readonly settings: JsonObject;
  /** Folders, and origins of services: what the operator named is within reach of the plugin's calls. */
  readonly configured: { readonly folders: readonly string[]; readonly origins: readonly string[] };
}

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value);

/** The schema of a record's field. */
function fieldOf({ properties, additionalProperties }: JsonSchema, key: string): JsonSchema {
  if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key] ?? {};
  if (typeof additionalProperties === "object") return additionalProperties;
  return {};
}

/** Every text in a value whose schema has the format. */
function textsOf(format: string, value: Json, schema: JsonSchema): readonly string[] {
  if (value !== "" && typeof value === "string" && schema.format === format) return [value];
  if (isArray(value)) return value.flatMap((item) => textsOf(format, item, schema.items ?? {}));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => textsOf(format, item, fieldOf(schema, key)));
}

/** The value without what its schema calls secret, however deep that stands. */
export function withoutSecrets(value: Json, schema: JsonSchema): Json {
  if (schema["x-secret"] === true) return null;
  if (isArray(value)) return value.map((item) => withoutSecrets(item, schema.items ?? {}));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withoutSecrets(item, fieldOf(schema, key))]),
  );
}

export function ownSettings(plugin: {
  readonly preferences: Properties;
  settings(): JsonObject;
}): OwnSettings {
  const [values, schema] = [plugin.settings(), { properties: plugin.preferences }];
  const urls = textsOf("uri", values, schema).filter((url) => URL.canParse(url));
  return {
    settings: withoutSecrets(values, schema) as JsonObject,
    configured: {
      folders: textsOf("path", values, schema),
      origins: urls.map((url) => new URL(url).origin),
    },
  };
}
