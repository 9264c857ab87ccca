import type { Json, JsonObject } from "@pergola/sdk";

/** A provider's own wishes: fields that stand in every body, and fields that never do. */
export interface Wishes {
  readonly body: JsonObject;
  readonly leaveOut: readonly string[];
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function wishesOf({ body, leave_out: names }: JsonObject): Wishes {
  const leaveOut = Array.isArray(names)
    ? (names as readonly Json[]).filter((name) => typeof name === "string")
    : [];
  return { body: isObject(body) ? body : {}, leaveOut };
}

/** The body without the fields of these names. */
export function without(body: JsonObject, names: readonly string[]): JsonObject {
  return names.length === 0
    ? body
    : Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}
