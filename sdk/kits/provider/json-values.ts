import { isObject, type JsonObject, type ToolCall } from "@pergola/sdk";

/** An object whose fields nobody has checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value if it is a list, else an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) return [];
  return value as readonly unknown[];
}

/** The objects of a list; an empty list for anything else. */
export const objectsOf = (value: unknown): readonly Fields[] => listOf(value).filter(isObject);

/** The value if it is an object, else one without fields. */
export function fieldsOf(value: unknown): Fields {
  if (isObject(value)) return value;
  return {};
}

/** A non-negative number, rounded; undefined for anything else. */
export function readCount(value: unknown): number | undefined {
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0) return undefined;
  return Math.round(value);
}

/** An integer above 0; undefined for anything else. */
export function positiveInteger(value: unknown): number | undefined {
  if (typeof value !== "number" || !Number.isInteger(value) || value <= 0) return undefined;
  return value;
}

/** The value at a dotted path such as `limits.max_tokens`; undefined where the path leads nowhere. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split(".").reduce((found, key) => fieldsOf(found)[key], value);
}

/** The JSON value of a text; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The arguments of a call that the model has made; `{}` where they are no JSON object. */
export const argumentsOf = (call: Pick<ToolCall, "arguments">): JsonObject =>
  fieldsOf(parseJson(call.arguments)) as JsonObject;

/** The list or object, or undefined if there is nothing in it: for fields that vendors refuse when empty. */
export const nonEmpty = <T extends object>(value: T): T | undefined =>
  Object.keys(value).length > 0 ? value : undefined;
