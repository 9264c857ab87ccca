import type { Json, JsonObject, JsonSchema, Properties } from "@pergola/sdk";

/** Where in the arguments a value stands: `["newTodos", 0, "title"]`. */
export type ValuePath = readonly (string | number)[];

export interface Leaf {
  readonly path: ValuePath;
  readonly value: string | number;
}

/** The texts and numbers in a value. */
export function leavesOf(value: Json, path: ValuePath = []): readonly Leaf[] {
  if (typeof value === "string" || typeof value === "number") return [{ path, value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    leavesOf(inner, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

function schemaBelow({ items, properties }: JsonSchema, step: string | number): JsonSchema | undefined {
  if (typeof step === "number") return items;
  return properties?.[step];
}

/** The schema at a path. */
export function schemaAt([name, ...rest]: ValuePath, properties: Properties): JsonSchema {
  const schema = (typeof name === "string" && Object.hasOwn(properties, name) && properties[name]) || {};
  return rest.reduce<JsonSchema>((inner, step) => schemaBelow(inner, step) ?? {}, schema);
}

/** A value with another one at a path. */
export function putAt(target: Json, [step, ...rest]: ValuePath, value: Json): Json {
  if (step === undefined) return value;
  if (Array.isArray(target)) {
    const list = target as readonly Json[];
    return list.with(Number(step), putAt(list[Number(step)] ?? null, rest, value));
  }
  const record = (target ?? {}) as JsonObject;
  return { ...record, [step]: putAt(record[step] ?? null, rest, value) };
}
