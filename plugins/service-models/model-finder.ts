import { AppError, type ModelEntry, type ModelInfo } from "@pergola/sdk";
import type { Parts, TapWatch } from "@pergola/sdk/host";
import type { ProviderInstance } from "./provider-instance.ts";
import type { ProvidersInUse } from "./providers-in-use.ts";

const withHyphens = (prefix: string): string => prefix.replaceAll("_", "-");

/** A model, the provider that has it, and what is known of it. */
export interface Found {
  readonly entry: ModelEntry;
  readonly instance: ProviderInstance;
  readonly facts: Partial<ModelInfo>;
}

/** Whether it may have models that it does not list. */
const mayHaveUnlisted = ({ definition }: ProviderInstance, models: readonly ModelInfo[]): boolean =>
  definition.type === "custom" || (models.length === 0 && definition.isLocal !== true);

const found = (instance: ProviderInstance, info: ModelInfo): Found => {
  const { entry, facts } = instance.describe(info);
  return { entry, instance, facts };
};

export type FindModel = (name: string, signal: AbortSignal, watch?: TapWatch) => Promise<Found>;

/**
 * Finds the model that a name stands for, and the provider that has it. Rejects with AppError
 * `model_not_found`, or `no_provider` where there is none at all.
 */
export const modelFinder =
  ({ hooks, preferences }: Pick<Parts, "hooks" | "preferences">, providers: ProvidersInUse): FindModel =>
  async (name, signal, watch) => {
    let current = name;
    if (name === "default") current = preferences.get<string>("default_model");
    const model = (await hooks.resolveModel(current, watch)) ?? current;
    const { enabled } = providers;
    const match = await findIn(enabled, model, signal);
    if (match !== undefined) return match;
    throw await notFound(enabled, { name, model }, signal);
  };

async function findIn(
  instances: readonly ProviderInstance[],
  model: string,
  signal: AbortSignal,
): Promise<Found | undefined> {
  const owner = ownerOf(instances, model);
  if (owner !== undefined) return findAt(owner, nameAtOwner(model), signal);
  for (const instance of instances) {
    const info = (await instance.models(signal)).find(({ id }) => id === model);
    if (info !== undefined) return found(instance, info);
  }
  return undefined;
}

const nameAtOwner = (model: string): string => model.slice(model.indexOf("/") + 1);

/** The provider whose prefix the name begins with. */
function ownerOf(instances: readonly ProviderInstance[], model: string): ProviderInstance | undefined {
  const [prefix = "", name = "", ...rest] = model.split("/");
  if (name === "" && rest.length === 0) return undefined;
  return instances.find(({ settings }) => withHyphens(settings.prefix) === withHyphens(prefix));
}

async function findAt(owner: ProviderInstance, id: string, signal: AbortSignal): Promise<Found | undefined> {
  const models = await owner.models(signal);
  const info = models.find((model) => model.id === id);
  if (info !== undefined) return found(owner, info);
  if (mayHaveUnlisted(owner, models)) return found(owner, { id });
  return undefined;
}

async function notFound(
  instances: readonly ProviderInstance[],
  { name, model }: { readonly name: string; readonly model: string },
  signal: AbortSignal,
): Promise<AppError> {
  const areVisible = await Promise.all(instances.map((instance) => instance.isVisible(signal)));
  if (!areVisible.includes(true))
    return new AppError({
      code: "no_provider",
      message: "No provider is configured. Add one under the preference providers.list.",
    });
  const owner = ownerOf(instances, model);
  const known = (await owner?.absence(nameAtOwner(model))) ?? owner?.status().lastError;
  const reason = known ?? "GET /api/models lists the models.";
  return new AppError({
    code: "model_not_found",
    message: `There is no model "${name}". ${reason}`,
    param: "model",
  });
}
