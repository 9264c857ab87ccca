import { AppError } from "@pergola/sdk";
import type { FindModel } from "./model-finder.ts";
import type { ProvidersInUse } from "./providers-in-use.ts";

/** Removes an installed model. Rejects with `built_in`, `in_use`, or why the model was not found. */
export async function removeModel(model: string, find: FindModel, providers: ProvidersInUse): Promise<void> {
  const found = await find(model, AbortSignal.timeout(30_000)).catch(async (error: unknown) => {
    await removeUnlisted(model, providers, error);
  });
  if (found === undefined) return;
  const { entry, instance } = found;
  const provider = await instance.open();
  if (provider.remove === undefined || entry.file === undefined)
    throw new AppError({
      code: "built_in",
      message: `"${entry.modelId}" is not installed here, so it cannot be removed.`,
    });
  if (providers.lists(entry.modelId))
    throw new AppError({
      code: "in_use",
      message: `A run uses "${entry.modelId}"; cancel it or wait for its end.`,
    });
  await provider.remove(entry.name);
  instance.refresh();
}

/**
 * A file that cannot be used is in no listing; the provider that its prefix names can still remove it.
 * Rejects with the failure when there is none.
 */
async function removeUnlisted(model: string, providers: ProvidersInUse, failure: unknown): Promise<void> {
  const [prefix = ""] = model.split("/", 1);
  const instance = providers.all.find(({ settings }) => settings.prefix === prefix);
  const provider = await instance?.open();
  if (provider?.remove === undefined) throw failure;
  await provider.remove(model.slice(prefix.length + 1));
  instance?.refresh();
}
