import { defined, isObject, type JsonSchema } from "@pergola/sdk";

/** Keywords that hold schemas by name, and those that hold data. */
const maps = new Set(["properties", "patternProperties", "$defs"]);
const data = new Set(["default", "const", "enum", "examples", "required"]);

/** The formats that only the policy and the door understand. */
const ownFormats = new Set(["path", "uri"]);

function describe(description: unknown, aliases: unknown): string | undefined {
  const text = typeof description === "string" ? description : "";
  if (!Array.isArray(aliases) || aliases.length === 0) return text === "" ? undefined : text;
  const also = `Also accepted: ${aliases.join(", ")}`;
  return text === "" ? also : `${text}. ${also}`;
}

const valueOf = (keyword: string, value: unknown, inner: (schema: unknown) => unknown): unknown => {
  if (data.has(keyword)) return value;
  if (maps.has(keyword) && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, inner(schema)]));
  if (Array.isArray(value)) return value.map(inner);
  return inner(value);
};

const takesArrays = (type: unknown): boolean => [type].flat().includes("array");

/** What a schema is documented as, where its route itself reads what is inside. */
function documented({ documentedAs, ...schema }: JsonSchema): JsonSchema {
  if (!isObject(documentedAs)) return schema;
  return defined({ description: schema.description, ...documentedAs });
}

/**
 * A schema without the annotations that only Pergola reads; `inner` makes what stands in its place. Other
 * spellings of a property go into its description.
 */
export function plainSchema(schema: JsonSchema, inner: (schema: JsonSchema) => unknown): JsonSchema {
  const { aliases, hidden: _, description, format, ...rest } = documented(schema);
  const isSchema = (value: unknown): unknown => (isObject(value) ? inner(value) : value);
  const plain: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(rest)) plain[keyword] = valueOf(keyword, value, isSchema);
  const text = describe(description, aliases);
  if (text !== undefined) plain["description"] = text;
  if (format !== undefined && !ownFormats.has(format)) plain["format"] = format;
  if (takesArrays(plain["type"])) plain["items"] ??= {};
  return plain;
}
