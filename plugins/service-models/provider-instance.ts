import { isDeepStrictEqual } from "node:util";
import {
  defined,
  stringOf,
  type Json,
  type ModelEntry,
  type ModelInfo,
  type Provider,
  type ProviderDefinition,
  type ProviderDoor,
  type ProviderSettings,
  type ProviderStatus,
  type ProviderVault,
} from "@pergola/sdk";
import { pick, type Parts } from "@pergola/sdk/host";
import { Listing } from "./listing.ts";
import { factsOf, guess } from "./model-facts.ts";
import { knownModel } from "./model-data.ts";
import { refuseOwnAddress } from "./own-address.ts";
import { pricesOf, type Price } from "./prices.ts";
import { ToolProbes } from "./tool-probes.ts";
import { openVault } from "./vault.ts";

type Overrides = Readonly<Record<string, Partial<ModelInfo>>>;
type Prices = Readonly<Record<string, Price>>;

/** What an instance is made of. */
export interface InstanceSource {
  readonly definition: ProviderDefinition;
  /** The record of `providers.list`. */
  readonly record: Readonly<Record<string, Json>>;
  readonly prefix: string;
  /** Not shown before it has a model. */
  readonly quiet: boolean;
  /** Where its key comes from, and whether it can be changed other than where the settings stand. */
  readonly origin: Pick<ProviderStatus, "key" | "fixed">;
  /** Absent: that of its id. */
  readonly vault?: ProviderVault;
}

/** A model as clients see it, and what is known of it without guessing. */
export interface Description {
  readonly entry: ModelEntry;
  /** What its listing says, else the user, else the shipped tables. */
  readonly facts: ModelInfo;
}

/** Models that are remembered; clients may name any. */
const mostDescribed = 1000;

/** One configured instance of a kind, opened at its first use, with its cached listing. */
export class ProviderInstance {
  readonly settings: ProviderSettings;
  readonly definition: ProviderDefinition;
  readonly isLocal: boolean;
  readonly retryCount: number;
  readonly probes: ToolProbes;
  readonly #parts: Parts;
  readonly #source: InstanceSource;
  #provider: Promise<Provider> | undefined;
  readonly #listing: Listing;
  readonly #described = new Map<string, Description & { readonly sources: readonly unknown[] }>();

  /** `changed` is called when its status may have changed. */
  constructor(parts: Parts, source: InstanceSource, changed?: () => void) {
    const { definition, record, prefix } = source;
    this.#parts = parts;
    this.#source = source;
    this.definition = definition;
    this.settings = settingsOf(definition, record, prefix);
    this.#listing = new Listing(parts, this.settings, () => this.open(), changed);
    this.probes = new ToolProbes(parts, this.settings);
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
    const fetch = doors.providerFetch(this.settings, this.definition.origins?.(this.settings) ?? []);
    return {
      fetch: async (url, init) => {
        refuseOwnAddress(this.#parts, url);
        return fetch(url, init);
      },
      log,
      clock,
      dataDirectory,
      preference: (key) =>
        preferences.list().find((one) => one.key === key && one.schema["x-secret"] !== true)?.value,
      vault: this.#source.vault ?? openVault(this.#parts, this.settings.id),
    };
  }

  /** Whether it was made of the same. */
  isOf(source: InstanceSource): boolean {
    return source.definition === this.definition && isDeepStrictEqual(source, this.#source);
  }

  /** The record of `providers.list` that it was made of, with its key. */
  get record(): InstanceSource["record"] {
    return this.#source.record;
  }

  /** It has just been listed by another hand. */
  noteListed(models: readonly ModelInfo[]): void {
    this.#listing.note(models);
  }

  /** What was listed is asked for again. */
  refresh(): void {
    this.#listing.refresh();
  }

  async close(): Promise<void> {
    await (await this.#provider)?.close?.();
  }

  /** The models it lists, cached; those of the settings when listing fails or is absent. */
  async models(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    await this.probes.load();
    return this.#listing.models(signal);
  }

  /** Why a model of the provider's is not among those that it lists, as far as it is open and says so. */
  async absence(model: string): Promise<string | undefined> {
    return (await this.#provider?.catch(() => undefined))?.absence?.(model);
  }

  /** Its models in memory; none before its first use. */
  async loaded() {
    return (await (await this.#provider)?.loaded?.()) ?? [];
  }

  /** Takes a model out of memory, by its name; before its first use there is none. */
  async unload(model: string): Promise<void> {
    await (await this.#provider)?.unload?.(model);
  }

  /** Whether it is one to be shown among the providers. */
  async isVisible(signal: AbortSignal): Promise<boolean> {
    return !this.#source.quiet || (await this.models(signal)).length > 0 || this.#listing.lastError !== null;
  }

  status(): ProviderStatus {
    const { lastError, known } = this.#listing;
    return {
      ...pick(this.settings, "id", "type", "name", "prefix", "enabled"),
      ...this.#source.origin,
      isLocal: this.isLocal,
      baseUrl: this.baseUrl(),
      status: this.#health(),
      lastError,
      modelCount: known?.length ?? 0,
    };
  }

  #health(): ProviderStatus["status"] {
    const { lastError, known } = this.#listing;
    if (lastError !== null) return "error";
    if (known === undefined) return "unknown";
    return "ok";
  }

  baseUrl(): string {
    if (this.settings.baseUrl === undefined) return "local";
    return new URL(this.settings.baseUrl).origin;
  }

  /** What is known of a model; worked out again when anything that says so has changed. */
  describe(info: ModelInfo): Description {
    const { preferences } = this.#parts;
    const sources = [
      info,
      preferences.get<Json>("models.overrides"),
      preferences.get<Json>("models.prices"),
      this.probes.refuses(info.id),
    ];
    const known = this.#described.get(info.id);
    if (known !== undefined && isDeepStrictEqual(known.sources, sources)) return known;
    const made = { sources, facts: this.#facts(info), entry: this.#entry(info) };
    if (this.#described.size >= mostDescribed) this.#described.clear();
    this.#described.set(info.id, made);
    return made;
  }

  #facts(info: ModelInfo): ModelInfo {
    return {
      ...knownModel(this.definition.type, info.id),
      ...this.#overrides(info),
      ...info,
    };
  }

  #overrides({ id }: ModelInfo): Partial<ModelInfo> {
    const user = this.#parts.preferences.get<Json>("models.overrides") as unknown as Overrides;
    const set = user[`${this.settings.prefix}/${id}`] ?? user[id] ?? {};
    return Object.fromEntries(Object.entries(set).map(([field, value]) => [camelCase(field), value]));
  }

  #entry(info: ModelInfo): ModelEntry {
    const { preferences } = this.#parts;
    const { type, priceNote } = this.definition;
    const modelId = `${this.settings.prefix}/${info.id}`;
    const ownPrice = (preferences.get<Json>("models.prices") as unknown as Prices)[modelId];
    const row = knownModel(type, info.id);
    const { source, ...facts } = factsOf({
      listing: info,
      user: this.#overrides(info),
      table: row ?? {},
      probe: this.probes.refuses(info.id) ? { supportsTools: false } : {},
      guess: (contextWindow) => guess(type, this.isLocal, contextWindow),
    });
    return defined({
      modelId,
      name: info.id,
      kind: info.kind ?? "chat",
      created: info.created ?? 0,
      vendor: info.vendor ?? this.settings.name,
      providerId: this.settings.id,
      providerType: type,
      providerName: this.settings.name,
      isLocal: this.isLocal,
      baseUrl: this.baseUrl(),
      ...facts,
      family: facts.family ?? /^[a-z]+/i.exec(info.id.split("/").at(-1) ?? "")?.[0] ?? info.id,
      source,
      ...pricesOf(ownPrice, { priceNote, isLocal: this.isLocal, row }),
      file: info.file,
      takesReminders: info.takesReminders,
    });
  }
}

/** `context_window` is `contextWindow`. */
const camelCase = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function hostOf(address: string | undefined): string {
  if (address === undefined) return "";
  return new URL(address).hostname;
}

export function settingsOf(
  definition: ProviderDefinition,
  record: Readonly<Record<string, Json>>,
  prefix: string,
): ProviderSettings {
  const text = (key: string): string | undefined => stringOf(record[key]) || undefined;
  const number = (key: string): number | undefined =>
    [record[key]].find((value) => typeof value === "number");
  const baseUrl = text("base_url") ?? definition.baseUrl;
  return defined({
    id: text("id") ?? prefix,
    type: definition.type,
    name: text("name") ?? definition.name,
    prefix,
    enabled: record["enabled"] !== false,
    apiKey: text("api_key"),
    baseUrl: baseUrl?.replace(/\/+$/, ""),
    models: (record["models"] ?? []) as readonly string[],
    maxTokens: number("max_tokens"),
    temperature: number("temperature"),
    headers: (record["headers"] ?? {}) as Readonly<Record<string, string>>,
    timeoutSeconds: number("timeout_seconds") ?? 300,
    idleTimeoutSeconds: number("idle_timeout_seconds") ?? 120,
    extra: record,
  });
}
