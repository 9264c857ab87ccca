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

function describe<T extends object>(record: T): Described<T> {
  const entries = Object.entries(record);
  const isFunction = ([, value]: [string, unknown]): boolean => typeof value === "function";
  return {
    ...Object.fromEntries(entries.filter((entry) => !isFunction(entry))),
    functions: entries.filter(isFunction).map(([name]) => name),
  } as unknown as Described<T>;
}

/** Describes what a plugin brings: data as it is, the functions of tools and operations by their names. */
export const describePlugin = (plugin: HostPlugin): PluginDescription => ({
  ...describe(plugin),
  tools: (plugin.tools ?? []).map((tool) => ({
    ...describe(tool),
    operations: tool.operations.map(describe),
  })),
});
