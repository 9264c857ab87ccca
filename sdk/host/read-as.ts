import { stringOf } from "../util/string-of.ts";
import type { JsonSchema } from "../util/schema.ts";

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

function numberOf(value: unknown): unknown {
  if (/^\s*[+-]?\d+(\.\d+)?(e[+-]?\d+)?\s*$/i.test(stringOf(value))) return Number(value);
  return value;
}

function jsonOf(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function arrayOf(value: unknown): unknown {
  const parsed = jsonOf(value);
  if (Array.isArray(parsed) || value === null) return parsed;
  return [value];
}

const booleans = new Map([
  ["true", true],
  ["false", false],
]);

const readers: Readonly<Record<string, (value: unknown) => unknown>> = {
  string: (value) => (/^(number|boolean)$/.test(typeof value) ? String(value) : value),
  number: numberOf,
  integer: numberOf,
  boolean: (value) => booleans.get(String(value).toLowerCase()),
  object: jsonOf,
  array: arrayOf,
};

/**
 * The value as the first of the schema's types that it can be read as; itself when it has one of them, or can
 * be none.
 */
export function readAs(value: unknown, schema: JsonSchema): unknown {
  const types = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(
    ({ type }) => type ?? [],
  ) as readonly string[];
  const fits = (candidate: unknown): boolean =>
    types.includes(typeOf(candidate)) || (typeOf(candidate) === "integer" && types.includes("number"));
  if (types.length === 0 || fits(value)) return value;
  return types.map((type) => readers[type]?.(value)).find(fits) ?? value;
}
