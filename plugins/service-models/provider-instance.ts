import {
  AppError,
  type Json,
  type ModelEntry,
  type ModelInfo,
  type Parts,
  type Provider,
  type ProviderDefinition,
  type ProviderDoor,
  type ProviderSettings,
  type ProviderStatus,
} from "@pergola/sdk";
import { openVault } from "./vault.ts";

type Overrides = Readonly<Record<string, Partial<ModelInfo>>>;
type Prices = Readonly<Record<string, { readonly prompt: number; readonly completion: number }>>;

/** One configured instance of a kind, opened at its first use, with its cached listing. */
export class ProviderInstance {
  readonly settings: ProviderSettings;
  readonly definition: ProviderDefinition;
  readonly isLocal: boolean;
  readonly retryCount: number;
  readonly #parts: Parts;
  readonly #quiet: boolean;
  #provider: Promise<Provider> | undefined;
  #listing: { readonly at: number; readonly models: readonly ModelInfo[] } | undefined;
  #lastError: string | null = null;

  /** `quiet`: not shown before it has a model. */
  constructor(parts: Parts, definition: ProviderDefinition, record: Readonly<Record<string, Json>>, prefix: string, quiet = false) {
    this.#parts = parts;
    this.#quiet = quiet;
    this.definition = definition;
    this.settings = settingsOf(definition, record, prefix);
    this.retryCount = Number(record["retry_count"] ?? 2);
    const host = hostOf(this.settings.baseUrl);
    this.isLocal = definition.isLocal === true || /^(localhost|127\.[\d.]+|\[::1\])$/.test(host);
  }

  open(): Promise<Provider> {
    this.#provider ??= Promise.resolve(this.definition.open(this.settings, this.#door()));
    this.#provider.catch(() => (this.#provider = undefined));
    return this.#provider;
  }

  #door(): ProviderDoor {
    const { doors, log, clock, dataDirectory, preferences } = this.#parts;
    return {
      fetch: doors.providerFetch(this.settings),
      log,
      clock,
      dataDirectory,
      preference: (key) => preferences.list().find((one) => one.key === key && one.schema["x-secret"] !== true)?.value,
      vault: openVault(this.#parts, this.settings.id),
    };
  }

  /** What was listed is asked for again. */
  refresh(): void {
    this.#listing = undefined;
  }

  async close(): Promise<void> {
    await (await this.#provider)?.close?.();
  }

  /** The models it lists, cached; those of the settings when listing fails or is absent. */
  async models(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    const now = this.#parts.clock.now();
    const seconds = this.#parts.preferences.get<number>("providers.list_cache_seconds");
    if (this.#listing !== undefined && now - this.#listing.at < seconds * 1000) return this.#listing.models;
    const named = this.settings.models.map((id) => ({ id }));
    try {
      const listed = await (await this.open()).listModels(signal);
      this.#lastError = null;
      this.#listing = {
        at: now,
        models: named.length === 0 ? listed : named.map((model) => listed.find(({ id }) => id === model.id) ?? model),
      };
    } catch (error) {
      this.#lastError = AppError.is(error) ? error.message : "The listing failed; the log says why.";
      this.#parts.log.warn({ provider: this.settings.id, error }, "listing models failed");
      this.#listing = { at: now - seconds * 1000 + 10_000, models: named };
    }
    return this.#listing.models;
  }

  /** Whether it is one to be shown among the providers. */
  async isShown(signal: AbortSignal): Promise<boolean> {
    return !this.#quiet || (await this.models(signal)).length > 0 || this.#lastError !== null;
  }

  status(): ProviderStatus {
    const { id, type, name, prefix, enabled } = this.settings;
    const status = this.#lastError !== null ? "error" : this.#listing === undefined ? "unknown" : "ok";
    const modelCount = this.#listing?.models.length ?? 0;
    return {
      id,
      type,
      name,
      prefix,
      isLocal: this.isLocal,
      baseUrl: this.baseUrl(),
      enabled,
      status,
      lastError: this.#lastError,
      modelCount,
    };
  }

  baseUrl(): string {
    return this.settings.baseUrl === undefined ? "local" : new URL(this.settings.baseUrl).origin;
  }

  entry(info: ModelInfo): ModelEntry {
    const { preferences } = this.#parts;
    const modelId = `${this.settings.prefix}/${info.id}`;
    const user = preferences.get<Json>("models.overrides") as unknown as Overrides;
    const set = user[modelId] ?? user[info.id] ?? {};
    const known = { ...info, ...set };
    const guessed = guess(this.definition.type, this.isLocal, known.contextWindow);
    const told = known.contextWindow !== undefined || known.supportsTools !== undefined;
    const price = (preferences.get<Json>("models.prices") as unknown as Prices)[modelId];
    const free = this.isLocal ? { prompt: 0, completion: 0, note: "local model" } : undefined;
    const prices = price === undefined ? free : { ...price, note: "prices of models.prices" };
    return {
      modelId,
      name: info.id,
      kind: info.kind ?? "chat",
      created: info.created ?? 0,
      vendor: info.vendor ?? this.settings.name,
      providerId: this.settings.id,
      providerType: this.definition.type,
      providerName: this.settings.name,
      isLocal: this.isLocal,
      baseUrl: this.baseUrl(),
      contextWindow: known.contextWindow ?? guessed.contextWindow,
      maxOutputTokens: known.maxOutputTokens ?? guessed.maxOutputTokens,
      supportsTools: known.supportsTools ?? guessed.supportsTools,
      supportsVision: known.supportsVision ?? false,
      family: known.family ?? /^[a-z]+/i.exec(info.id.split("/").at(-1) ?? "")?.[0] ?? info.id,
      source: Object.keys(set).length > 0 ? "user" : told ? "provider" : "guess",
      ...(prices === undefined ? {} : { prices }),
      ...(info.file === undefined ? {} : { file: info.file }),
    };
  }
}

const hostOf = (address: string | undefined): string => (address === undefined ? "" : new URL(address).hostname);

function guess(type: string, isLocal: boolean, known: number | undefined) {
  const contextWindow = known ?? (isLocal ? 32_768 : type === "deepseek" ? 65_536 : 8192);
  return { contextWindow, maxOutputTokens: Math.min(4096, Math.floor(contextWindow / 4)), supportsTools: !isLocal };
}

function settingsOf(definition: ProviderDefinition, record: Readonly<Record<string, Json>>, prefix: string): ProviderSettings {
  const text = (key: string): string | undefined => (typeof record[key] === "string" && record[key] !== "" ? record[key] : undefined);
  const number = (key: string): number | undefined => (typeof record[key] === "number" ? record[key] : undefined);
  const [apiKey, baseUrl, maxTokens, temperature] = [
    text("api_key"),
    text("base_url") ?? definition.baseUrl,
    number("max_tokens"),
    number("temperature"),
  ];
  return {
    id: text("id") ?? prefix,
    type: definition.type,
    name: text("name") ?? definition.name,
    prefix,
    enabled: record["enabled"] !== false,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(baseUrl === undefined ? {} : { baseUrl: baseUrl.replace(/\/+$/, "") }),
    models: (record["models"] ?? []) as readonly string[],
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    headers: (record["headers"] ?? {}) as Readonly<Record<string, string>>,
    timeoutSeconds: number("timeout_seconds") ?? 300,
    idleTimeoutSeconds: number("idle_timeout_seconds") ?? 120,
    extra: record,
  };
}
