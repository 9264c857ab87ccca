import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { EndpointGroup, Route } from "@pergola/sdk";

const root = path.resolve(import.meta.dirname, "../..");

/** The routes of all official plugins, whatever a host has of them, in the order of their groups. */
export async function officialRoutes(): Promise<readonly (Route & { readonly group: string })[]> {
  const plugins = path.join(root, "plugins");
  const manifest = (id: string): string => path.join(plugins, id, "plugin.json");
  const hasRoutes = (id: string): boolean => readFileSync(manifest(id), "utf8").includes('"endpoints"');
  const groups: EndpointGroup[] = [];
  for (const id of readdirSync(plugins).filter(hasRoutes)) {
    const { default: plugin } = (await import(path.join(plugins, id, "index.ts"))) as {
      readonly default: { readonly endpoints?: readonly EndpointGroup[] };
    };
    groups.push(...(plugin.endpoints ?? []));
  }
  return groups.flatMap(({ group, routes }) => routes.map((route) => ({ ...route, group })));
}
