import type { JsonSchema } from "../util/schema.ts";

const typeOf = (value: unknown): string =>
  value === null
    ? "null"
    : Array.isArray(value)
      ? "array"
      : Number.isInteger(value)
        ? "integer"
        : typeof value;
const numberOf = (value: unknown): unknown =>
  typeof value === "string" && /^\s*[+-]?\d+(\.\d+)?(e[+-]?\d+)?\s*$/i.test(value) ? Number(value) : value;

function jsonOf(value: unknown): unknown {
  try {
    return typeof value === "string" ? JSON.parse(value) : value;
  } catch {
    return value;
  }
}

const readers: Readonly<Record<string, (value: unknown) => unknown>> = {
  string: (value) => (/^(number|boolean)$/.test(typeof value) ? String(value) : value),
  number: numberOf,
  integer: numberOf,
  boolean: (value) => new Map([["true", true], ["false", false]]).get(String(value).toLowerCase()), // prettier-ignore
  object: jsonOf,
  array: (value) => (Array.isArray(jsonOf(value)) ? jsonOf(value) : value === null ? value : [value]),
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
  return types.length === 0 || fits(value)
    ? value
    : (types.map((type) => readers[type]?.(value)).find(fits) ?? value);
}
