import { isObject, type Json, type JsonObject } from "@pergola/sdk";

/** One value to set, at its path; a number is an index, that behind the last adds to the list. */
export interface Setting {
  readonly path: readonly (string | number)[];
  readonly value: Json;
}

type Path = Setting["path"];

/** How entries of a list are told apart; undefined where the list is one value. */
const idOf = (entry: Json): Json | undefined =>
  isObject(entry) ? (entry["id"] ?? entry["name"]) : undefined;

function inObject(before: JsonObject, ours: JsonObject, path: Path): readonly Setting[] {
  return Object.entries(ours).flatMap(([key, value]) =>
    settingsToMake(Object.hasOwn(before, key) ? before[key] : undefined, value, [...path, key]),
  );
}

function inList(before: readonly Json[], ours: readonly Json[], path: Path): readonly Setting[] {
  let end = before.length;
  return ours.flatMap((entry) => {
    const at = before.findIndex((one) => idOf(one) === idOf(entry));
    if (at < 0) return [{ path: [...path, end++], value: entry }];
    return settingsToMake(before[at], entry, [...path, at]);
  });
}

/**
 * The values that differ between a file and what it is to have. What only the file has stays as it is: keys
 * of objects, and entries of lists that have an id or a name.
 */
export function settingsToMake(before: Json | undefined, ours: Json, path: Path = []): readonly Setting[] {
  if (isObject(ours) && isObject(before)) return inObject(before, ours, path);
  const isNamed = Array.isArray(ours) && ours.every((entry) => idOf(entry as Json) !== undefined);
  if (isNamed && Array.isArray(before))
    return inList(before as readonly Json[], ours as readonly Json[], path);
  return JSON.stringify(ours) === JSON.stringify(before) ? [] : [{ path, value: ours }];
}
