import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Plugin, Provider, ProviderDoor, ProviderSettings } from "@pergola/sdk";

const entry = path.join(
  path.dirname(fileURLToPath(import.meta.url)),
  "../../../plugins/provider-embedded/index.ts",
);
const silentLog = {
  debug: () => undefined,
  info: () => undefined,
  error: () => undefined,
  warn: (fields: unknown, message: string) => console.warn(message, fields),
};

/** The embedded provider, opened as the host does it, with the examples' vectors. Close it afterwards. */
export async function openGuide(): Promise<Provider> {
  await import("../../../scripts/guide-vectors.ts");
  const { default: plugin } = (await import(pathToFileURL(entry).href)) as { readonly default: Plugin };
  const definition = plugin.providers?.[0];
  if (definition === undefined) throw new Error("provider-embedded provides nothing");
  return definition.open(
    {} as ProviderSettings,
    { log: silentLog, clock: { now: () => Date.UTC(2026, 10, 20, 10) } } as unknown as ProviderDoor,
  );
}
