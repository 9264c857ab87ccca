import { pathToFileURL } from "node:url";

import { didYouMean } from "../util/did-you-mean.ts";
import type { HostPlugin } from "./host-plugin.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The fields that each thing a plugin brings must have; a field named here too is a list of such things. */
const needed: Readonly<Record<string, readonly string[]>> = {
  tools: ["name", "description", "operations"],
  operations: ["name", "description", "effect", "parameters", "required", "run"],
  providers: ["type", "name", "prefix", "open"],
  storages: ["type", "open"],
  endpoints: ["group", "routes"],
  routes: ["method", "path", "summary", "handle"],
};
const fields = [
  "tools",
  "providers",
  "storages",
  "endpoints",
  "parts",
  "collections",
  "register",
  "start",
  "stop",
];
const functions = new Set(["register", "start", "stop"]);

function itemFaults(list: string, items: unknown): readonly string[] {
  if (!(list in needed) || items === undefined) return [];
  if (!Array.isArray(items)) return [`${list} must be a list`];
  return items.flatMap((item: Fields | null | undefined, index) =>
    (needed[list] ?? []).flatMap((field) => {
      if (item?.[field] === undefined) return [`${list}[${index}] has no ${field}`];
      return itemFaults(field, item[field]);
    }),
  );
}

/** What is wrong with a plugin's default export. */
export function exportFaults(plugin: unknown): readonly string[] {
  if (typeof plugin !== "object" || plugin === null)
    return ["its entry has no default export made by definePlugin"];
  return Object.entries(plugin).flatMap(([field, value]) => {
    if (!fields.includes(field))
      return [`its default export has a field "${field}" that nobody reads.${didYouMean(field, fields)}`];
    if (functions.has(field) && value !== undefined && typeof value !== "function")
      return [`${field} must be a function`];
    return itemFaults(field, value);
  });
}

/** Imports a plugin into this process. Throws when what it exports is not a plugin. */
export async function loadPlugin(entry: string): Promise<HostPlugin> {
  const { default: plugin } = (await import(pathToFileURL(entry).href)) as { readonly default?: unknown };
  const faults = exportFaults(plugin);
  if (faults.length > 0) throw new Error(faults.join("; "));
  return plugin as HostPlugin;
}
