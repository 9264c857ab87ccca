import type { Operation, Tool } from "../contract/tool.ts";
import type { HostPlugin } from "./host-plugin.ts";

/** A record without its functions, which are listed by their names. */
export type Described<T> = T & { readonly functions: readonly string[] };

/** What a plugin brings, as data. */
export interface PluginDescription extends Described<Omit<HostPlugin, "tools">> {
  readonly tools: readonly (Described<Omit<Tool, "operations">> & {
    readonly operations: readonly Described<Operation>[];
  })[];
}

/** The fields of a plugin, and of what it brings, that are lists of things with functions. */
export const describedLists: readonly string[] = ["tools", "operations", "providers", "endpoints", "routes"];

function describe(record: object): object {
  const entries = Object.entries(record);
  const isFunction = ([, value]: [string, unknown]): boolean => typeof value === "function";
  const data = entries.filter((entry) => !isFunction(entry));
  return {
    ...Object.fromEntries(data.map(([name, value]: [string, unknown]) => [name, describeField(name, value)])),
    functions: entries.filter(isFunction).map(([name]) => name),
  };
}

function describeField(name: string, value: unknown): unknown {
  if (!describedLists.includes(name) || !Array.isArray(value)) return value;
  return (value as readonly object[]).map(describe);
}

/** Describes what a plugin brings: data as it is, the functions of each thing by their names. */
export const describePlugin = (plugin: HostPlugin): PluginDescription =>
  describe({ ...plugin, tools: plugin.tools ?? [] }) as PluginDescription;
