import { AppError, type ModelEntry, type ModelInfo } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
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

const found = (instance: ProviderInstance, info: ModelInfo): Found => ({
  entry: instance.entry(info),
  instance,
  facts: instance.facts(info),
});

/** Finds the model that a name stands for, and the provider that has it. */
export class ModelFinder {
  readonly #parts: Pick<Parts, "hooks" | "preferences">;
  readonly #providers: ProvidersInUse;

  constructor(parts: Pick<Parts, "hooks" | "preferences">, providers: ProvidersInUse) {
    this.#parts = parts;
    this.#providers = providers;
  }

  /** Rejects with AppError `model_not_found`, or `no_provider` where there is none at all. */
  async find(name: string, signal: AbortSignal): Promise<Found> {
    let wanted = name;
    if (name === "default") wanted = this.#parts.preferences.get<string>("default_model");
    const model = (await this.#parts.hooks.resolveModel(wanted)) ?? wanted;
    const match = await this.#match(model, signal);
    if (match !== undefined) return match;
    throw await this.#notFound(name, signal);
  }

  async #match(model: string, signal: AbortSignal): Promise<Found | undefined> {
    const owner = this.#ownerOf(model);
    if (owner === undefined) return this.#findAnywhere(model, signal);
    return this.#findAt(owner, model.slice(model.indexOf("/") + 1), signal);
  }

  /** The provider whose prefix the name begins with. */
  #ownerOf(model: string): ProviderInstance | undefined {
    const [prefix = "", name = "", ...rest] = model.split("/");
    if (name === "" && rest.length === 0) return undefined;
    return this.#providers.enabled.find(
      ({ settings }) => withHyphens(settings.prefix) === withHyphens(prefix),
    );
  }

  async #findAt(owner: ProviderInstance, id: string, signal: AbortSignal): Promise<Found | undefined> {
    const models = await owner.models(signal);
    const info = models.find((model) => model.id === id);
    if (info !== undefined) return found(owner, info);
    if (mayHaveUnlisted(owner, models)) return found(owner, { id });
    return undefined;
  }

  async #findAnywhere(id: string, signal: AbortSignal): Promise<Found | undefined> {
    for (const instance of this.#providers.enabled) {
      const info = (await instance.models(signal)).find((model) => model.id === id);
      if (info !== undefined) return found(instance, info);
    }
    return undefined;
  }

  async #notFound(name: string, signal: AbortSignal): Promise<AppError> {
    const { enabled } = this.#providers;
    const areVisible = await Promise.all(enabled.map((instance) => instance.isVisible(signal)));
    if (!areVisible.includes(true))
      return new AppError({
        code: "no_provider",
        message: "No provider is configured. Add one under the preference providers.list.",
      });
    return new AppError({
      code: "model_not_found",
      message: `There is no model "${name}". GET /api/models lists the models.`,
      param: "model",
    });
  }
}
