import {
  AppError,
  type DeviceLogin,
  type Json,
  type ModelCall,
  type ModelEntry,
  type ModelEvent,
  type ModelKeeper,
  type Parts,
  type ProviderQuota,
  type ProviderSettings,
  type ProviderStatus,
  type Sampling,
} from "@pergola/sdk";
import type { ProviderInstance } from "./provider-instance.ts";
import { sleep } from "./sleep.ts";

interface Told {
  answered(by: ModelEntry): void;
  warning(text: string): void;
}

interface Tried extends Told {
  tries(model: ModelEntry): void;
}

const retried = new Set([408, 429, 500, 502, 503, 504]);
const fallsBack = new Set(["provider_auth_failed", "provider_rate_limited", "model_not_found", "provider_error", "provider_timeout"]);
const folded = (prefix: string): string => prefix.replaceAll("_", "-");
const mayRetry = (error: AppError): boolean => error.details?.["retryable"] === true || retried.has(Number(error.details?.["status"]));

/** What the request or the conversation asks for, else the provider's setting, else the usual; never more than the model can put out. */
function samplingFor(
  asked: Sampling,
  { maxOutputTokens }: ModelEntry,
  { temperature = 0.7, maxTokens = 2000 }: ProviderSettings,
): Sampling {
  const sampling = { temperature, topP: 1, maxTokens, ...asked };
  return { ...sampling, maxTokens: Math.min(sampling.maxTokens, maxOutputTokens) };
}

/** An answer that has begun: after it, nothing is tried again. */
interface Beginning {
  readonly first: IteratorResult<ModelEvent>;
  readonly rest: AsyncIterator<ModelEvent>;
}

/** Warnings come before the provider is asked, so they are no beginning. */
async function firstOf(events: AsyncIterator<ModelEvent>, told: Told): Promise<IteratorResult<ModelEvent>> {
  for (;;) {
    const next = await events.next();
    if (next.done === true || next.value.type !== "warning") return next;
    told.warning(next.value.text);
  }
}

/** Which provider answers for a model name, and one call to it with retries and fallback chains. */
export class Models implements ModelKeeper {
  readonly #parts: Parts;
  readonly #instances: readonly ProviderInstance[];
  /** The calls in progress, each with the model that is asked. */
  readonly #calls = new Set<{ modelId: string }>();

  constructor(parts: Parts, instances: readonly ProviderInstance[]) {
    this.#parts = parts;
    this.#instances = instances;
  }

  async list(signal: AbortSignal): Promise<readonly ModelEntry[]> {
    const enabled = this.#instances.filter(({ settings }) => settings.enabled);
    return (await Promise.all(enabled.map(async (instance) => (await instance.models(signal)).map((info) => instance.entry(info))))).flat();
  }

  async resolve(model: string, signal: AbortSignal): Promise<ModelEntry> {
    return (await this.#find(model, signal)).entry;
  }

  async #find(asked: string, signal: AbortSignal): Promise<{ readonly entry: ModelEntry; readonly instance: ProviderInstance }> {
    const named = asked === "default" ? this.#parts.preferences.get<string>("default_model") : asked;
    const model = (await this.#parts.hooks.resolveModel(named)) ?? named;
    const enabled = this.#instances.filter(({ settings }) => settings.enabled);
    if (enabled.length === 0)
      throw new AppError({ code: "no_provider", message: "No provider is configured. Add one under providers.list in the settings file." });
    const [prefix = "", ...rest] = model.split("/");
    const name = rest.join("/");
    const owner = name === "" ? undefined : enabled.find(({ settings }) => folded(settings.prefix) === folded(prefix));
    for (const instance of owner === undefined ? enabled : [owner]) {
      const wanted = owner === undefined ? model : name;
      const models = await instance.models(signal);
      const info = models.find(({ id }) => id === wanted);
      if (info !== undefined) return { entry: instance.entry(info), instance };
      const mayBeUnlisted = (models.length === 0 && instance.definition.isLocal !== true) || instance.definition.type === "custom";
      if (owner !== undefined && mayBeUnlisted) return { entry: owner.entry({ id: wanted }), instance };
    }
    throw new AppError({
      code: "model_not_found",
      message: `There is no model "${asked}". GET /api/models lists what there is.`,
      param: "model",
    });
  }

  async *stream(model: string, call: Omit<ModelCall, "model">, signal: AbortSignal, told: Told): AsyncIterable<ModelEvent> {
    const chains = this.#parts.preferences.get<Json>("providers.fallback_chains") as Readonly<Record<string, readonly string[]>>;
    const names = [model, ...(chains[model] ?? chains["*"] ?? []).filter((name) => name !== model)];
    const current = { modelId: "" };
    this.#calls.add(current);
    let begun: Beginning | undefined;
    try {
      begun = await this.#beginAny(names, call, signal, { ...told, tries: ({ modelId }) => (current.modelId = modelId) });
      for (let next = begun.first; next.done !== true; next = await begun.rest.next()) yield next.value;
    } catch (error) {
      throw this.#redacted(error);
    } finally {
      await begun?.rest.return?.();
      this.#calls.delete(current);
    }
  }

  /** The answer of the first of these models that begins one. */
  async #beginAny(names: readonly string[], call: Omit<ModelCall, "model">, signal: AbortSignal, told: Tried): Promise<Beginning> {
    for (const [index, name] of names.entries()) {
      try {
        return await this.#begin(name, call, signal, told);
      } catch (error) {
        if (signal.aborted || index === names.length - 1 || !AppError.is(error) || !fallsBack.has(error.code)) throw error;
        told.warning(`${name} was skipped: ${error.message}`);
      }
    }
    throw new AppError({ code: "model_not_found", message: "No model was named." });
  }

  /** One model's answer up to its first event, tried again where the failure lets hope. */
  async #begin(model: string, call: Omit<ModelCall, "model">, signal: AbortSignal, told: Tried): Promise<Beginning> {
    const { entry, instance } = await this.#find(model, signal);
    const own = { ...call, model: entry.name, sampling: samplingFor(call.sampling, entry, instance.settings) };
    told.tries(entry);
    let waited = 0;
    for (let attempt = 1; ; attempt++) {
      try {
        const rest = (await instance.open()).stream(own, signal)[Symbol.asyncIterator]();
        const first = await firstOf(rest, told);
        told.answered(entry);
        return { first, rest };
      } catch (error) {
        const failure = this.#redacted(error);
        if (signal.aborted || !AppError.is(failure) || !mayRetry(failure) || attempt > instance.retryCount) throw failure;
        const wait = this.#wait(failure, attempt);
        waited += wait;
        if (wait > 60 || waited > this.#parts.preferences.get<number>("providers.max_wait_seconds")) throw failure;
        await sleep(wait * 1000, signal);
      }
    }
  }

  #redacted(error: unknown): unknown {
    if (AppError.is(error)) error.message = this.#parts.redact(error.message);
    return error;
  }

  /** Seconds before the next try: what the provider asks for, or 2, 4, 6 … with 20 % jitter. */
  #wait(error: AppError, attempt: number): number {
    return error.retryAfter ?? 2 * attempt * (0.8 + 0.4 * this.#parts.random());
  }

  async embed(
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<{ readonly model: string; readonly vectors: readonly Float32Array[] } | undefined> {
    const name = this.#parts.preferences.get<string>("memory.embedding_model");
    if (name === "") return undefined;
    try {
      const { entry, instance } = await this.#find(name, signal);
      const vectors = await (await instance.open()).embed?.(entry.name, texts, signal);
      return vectors === undefined ? undefined : { model: entry.modelId, vectors };
    } catch (error) {
      this.#parts.log.warn({ error, model: name }, "the embedding model is not usable; searching by words alone");
      return undefined;
    }
  }

  async remove(model: string): Promise<void> {
    const { entry, instance } = await this.#find(model, AbortSignal.timeout(30_000));
    const provider = await instance.open();
    if (provider.remove === undefined || entry.file === undefined)
      throw new AppError({ code: "built_in", message: `"${entry.modelId}" is not installed here, so it cannot be removed.` });
    if ([...this.#calls].some(({ modelId }) => modelId === entry.modelId))
      throw new AppError({ code: "in_use", message: `A run uses "${entry.modelId}"; cancel it or wait for its end.` });
    await provider.remove(entry.name);
    instance.refresh();
  }

  async login(providerId: string, signal: AbortSignal): Promise<DeviceLogin> {
    const instance = this.#provider(providerId);
    const provider = await instance.open();
    if (provider.login !== undefined) return provider.login(signal);
    throw new AppError({ code: "invalid_value", message: `Providers of the kind "${instance.definition.type}" have no device login.` });
  }

  async quota(providerId: string, options: { readonly refresh: boolean }, signal: AbortSignal): Promise<ProviderQuota> {
    const instance = this.#provider(providerId);
    const asked = (await instance.open()).quota?.(options, signal);
    return (await asked) ?? { available: false, reason: `Providers of the kind "${instance.definition.type}" tell no quota.` };
  }

  #provider(id: string): ProviderInstance {
    const found = this.#instances.find(({ settings }) => settings.id === id);
    if (found === undefined)
      throw new AppError({ code: "not_found", message: `There is no provider "${id}". GET /api/providers lists them.` });
    return found;
  }

  refresh(): void {
    for (const instance of this.#instances) instance.refresh();
  }

  async providers(): Promise<readonly ProviderStatus[]> {
    const shown = await Promise.all(this.#instances.map((instance) => instance.isShown(AbortSignal.timeout(10_000))));
    return this.#instances.filter((_, index) => shown[index]).map((instance) => instance.status());
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#instances.map((instance) => instance.close()));
  }
}
