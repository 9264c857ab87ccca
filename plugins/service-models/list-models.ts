import type { ModelEntry } from "@pergola/sdk";
import type { ProviderInstance } from "./provider-instance.ts";

/** The models of all providers, in their order. */
export async function listModels(
  providers: readonly ProviderInstance[],
  signal: AbortSignal,
): Promise<readonly ModelEntry[]> {
  const lists = providers.map(async (instance) => {
    const models = await instance.models(signal);
    return models.map((info) => instance.describe(info).entry);
  });
  return (await Promise.all(lists)).flat();
}

/** Those of them that are in memory. */
export async function listLoaded(
  providers: readonly ProviderInstance[],
  signal: AbortSignal,
): Promise<readonly ModelEntry[]> {
  const lists = providers.map(async (instance) => {
    const names = await instance.loaded();
    if (names.length === 0) return [];
    const models = await listModels([instance], signal);
    return models.filter(({ name }) => names.includes(name));
  });
  return (await Promise.all(lists)).flat();
}
