import { isObject, type Json, type JsonObject } from "@pergola/sdk";
import { parseDocument } from "yaml";
import { settingsToMake } from "./merge.ts";

/** The keys at the top that say what the file is: those of the person stay. */
const naming = new Set(["name", "version", "schema"]);

/**
 * YAML with the values in it; comments and the rest stay. Undefined where the text is no map that can be
 * read.
 */
export function mergeYaml(text: string, values: JsonObject): string | undefined {
  const document = parseDocument(text);
  const before = document.errors.length > 0 ? undefined : (document.toJS({ maxAliasCount: 100 }) as Json);
  if (!isObject(before)) return undefined;
  const ours = Object.fromEntries(
    Object.entries(values).filter(([key]) => !naming.has(key) || !Object.hasOwn(before, key)),
  );
  const settings = settingsToMake(before, ours);
  for (const { path, value } of settings) document.setIn(path, document.createNode(value));
  return settings.length === 0 ? text : document.toString({ lineWidth: 0 });
}
