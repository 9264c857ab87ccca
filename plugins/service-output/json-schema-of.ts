import { isObject, type Json, type JsonObject } from "@pergola/sdk";

/** Keywords whose values are data, however they look. */
const data = new Set(["const", "enum", "default", "examples", "example"]);

const inside = (schema: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, data.has(key) ? value : convert(value)]),
  );

/** Beside a type, the check itself knows the word; where it is no flag, it is a property's name. */
const isFlag = ({ nullable, type }: JsonObject): boolean =>
  typeof nullable === "boolean" && type === undefined;

function convert(value: Json): Json {
  if (Array.isArray(value)) return value.map(convert);
  if (!isObject(value)) return value;
  const schema = value;
  if (!isFlag(schema)) return inside(schema);
  const { nullable, ...rest } = schema;
  return nullable === true ? { anyOf: [inside(rest), { type: "null" }] } : inside(rest);
}

/**
 * A schema in the words of JSON Schema, where clients write it in those of OpenAPI 3.0: what is `nullable`
 * beside no type may also be null. The answer as a whole is never null.
 */
export function jsonSchemaOf(schema: JsonObject): JsonObject {
  const { nullable: _, ...rest } = schema;
  return inside(isFlag(schema) ? rest : schema);
}
