import type { Discovery } from "./discover.ts";

const hostBundle = "bundle-host";

/** The ids of the plugins that the host does not work without: bundles, its required parts, its storage. */
export function neededPlugins({ all }: Pick<Discovery, "all">, storageType: string): ReadonlySet<string> {
  const parts = all.find(({ id }) => id === hostBundle)?.includes ?? [];
  const needed = all.filter(
    ({ kind, package: name, provides }) =>
      kind === "bundle" || parts.includes(name) || provides.storages?.includes(storageType),
  );
  return new Set(needed.map(({ id }) => id));
}
