import { stringOf, type JsonObject } from "@pergola/sdk";
import { fieldsOf, listOf } from "./json-values.ts";

/** Two settings that a record of `providers.list` may have for servers that differ from their kind. */
export interface RequestSettings {
  /** `body`: fields that stand in every request. */
  readonly body: JsonObject;
  /** `leave_out`: names of fields that are never sent. */
  readonly leaveOut: readonly string[];
}

/** Reads the settings from `ProviderSettings.extra`. */
export function requestSettings({ body, leave_out: names }: JsonObject): RequestSettings {
  return {
    body: fieldsOf(body) as JsonObject,
    leaveOut: listOf(names).map(stringOf),
  };
}

/** The object without the fields of these names. */
export function omitFields<T>(
  object: Readonly<Record<string, T>>,
  names: readonly string[],
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
