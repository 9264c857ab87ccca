import { AppError, didYouMean, type Effect, type Json, type JsonObject, type Preference } from "@pergola/sdk";
import type { Bench } from "./bench.ts";

const effects = new Set<string>(["none", "read", "write", "destructive", "execute"] satisfies Effect[]);

const namesOperations = ({ schema }: Preference): boolean => schema.items?.format === "operation-or-effect";

/** What is wrong with a name in a list of operations and effects; undefined when it is one. */
function faultOf({ toolbox }: Bench, name: string): string | undefined {
  const wanted = name.trim().toLowerCase().replaceAll("-", "_");
  if (effects.has(wanted)) return undefined;
  const found = toolbox.canonical(wanted)?.name;
  if (found === wanted) return undefined;
  if (found !== undefined) return `"${name}" is another name of ${found}: write that.`;
  const [family = ""] = wanted.split(".");
  const guess = didYouMean(wanted, [...effects, ...toolbox.operationNames]);
  const hint = guess || ` Write family.operation or one of ${[...effects].join(", ")}.`;
  if (toolbox.isFamily(family) || !wanted.includes("."))
    return `"${name}" is neither an operation nor an effect.${hint}`;
  return `There is no tool "${family}".${hint}`;
}

const textsOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];

/** The first fault of each preference that lists operations. */
function* faultsOf(bench: Bench, values: JsonObject): Iterable<{ key: string; message: string }> {
  for (const { key } of bench.preferences.list().filter(namesOperations))
    for (const name of textsOf(values[key])) {
      const fault = faultOf(bench, name);
      if (fault !== undefined) yield { key, message: `${key}: ${fault}` };
    }
}

/**
 * A name that means nothing would protect nothing, without a word. Refuses it in an update, and warns of it
 * where the settings hold it: there the plugin that brings it may only be missing.
 */
export function checkOperationNames(bench: Bench): void {
  const { preferences, log } = bench;
  preferences.guard((values) => {
    for (const { key: param, message } of faultsOf(bench, values))
      throw new AppError({ code: "invalid_value", message, param });
  });
  const listed = preferences.list().filter(namesOperations);
  const inForce = Object.fromEntries(listed.map(({ key, value }) => [key, value]));
  for (const { key, message } of faultsOf(bench, inForce)) log.warn({ preference: key }, message);
}
