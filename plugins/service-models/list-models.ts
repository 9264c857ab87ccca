import type { ModelEntry, ModelService } from "@pergola/sdk";
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
): ReturnType<ModelService["loaded"]> {
  const lists = providers.map(async (instance) => {
    // A runtime that does not answer has nothing that could be used.
    const known = await instance.loaded().catch(() => []);
    const loaded = new Map(known.map(({ id, ...state }) => [id, state]));
    if (loaded.size === 0) return [];
    const models = await listModels([instance], signal);
    return models
      .filter(({ name }) => loaded.has(name))
      .map((model) => ({ ...model, ...loaded.get(model.name) }));
  });
  return (await Promise.all(lists)).flat();
}
