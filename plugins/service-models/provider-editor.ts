import { randomBytes } from "node:crypto";
import {
  AppError,
  KeyedQueue,
  stringOf,
  type Caller,
  type Json,
  type ModelInfo,
  type ProviderDefinition,
} from "@pergola/sdk";
import type { Parts, ProviderChange, SavedProvider } from "@pergola/sdk/host";
import { chooseModels } from "@pergola/kit-provider";
import { isOwnAddress } from "./own-address.ts";
import { checkProviders } from "./open-providers.ts";
import { ProviderInstance } from "./provider-instance.ts";
import {
  changedRecord,
  definitionOf,
  isSamePlace,
  withNames,
  type ProviderRecord,
} from "./provider-records.ts";
import type { ProvidersInUse } from "./providers-in-use.ts";
import { clearVault, emptyVault } from "./vault.ts";

/** Milliseconds for the listing that proves a provider. */
const patience = 30_000;

const list = "providers.list";

const invalid = (message: string, param: string): AppError =>
  new AppError({ code: "invalid_value", message, param });

/** Changes the stored `providers.list`; keys go to the keeper of secrets. */
export class ProviderEditor {
  readonly #parts: Parts;
  readonly #providers: ProvidersInUse;
  readonly #turns = new KeyedQueue();

  constructor(parts: Parts, providers: ProvidersInUse) {
    this.#parts = parts;
    this.#providers = providers;
  }

  save(id: string, change: ProviderChange, caller: Caller, signal: AbortSignal): Promise<SavedProvider> {
    if (typeof change.apiKey === "string") this.#parts.learnSecrets([change.apiKey]);
    return this.#turns.run(id, () => this.#save(id, change, caller, signal));
  }

  remove(id: string, caller: Caller): Promise<void> {
    return this.#turns.run(id, () => this.#remove(id, caller));
  }

  async #save(
    id: string,
    change: ProviderChange,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<SavedProvider> {
    const before = this.#free(id);
    const record = changedRecord(before?.record ?? { id }, change, this.#kinds);
    const definition = this.#check(record);
    const isMoved = before === undefined || !isSamePlace(before.record, record, this.#kinds);
    const source = { definition, record, prefix: before?.settings.prefix ?? definition.prefix };
    const listed = change.check ? await this.#prove({ ...source, isMoved }, signal) : undefined;
    if (isMoved) await clearVault(this.#parts, id);
    await this.#store(id, change, { type: stringOf(record["type"]), caller });
    const saved = this.#find(id);
    if (saved === undefined) throw invalid(`The provider "${id}" cannot be used; the log says why.`, list);
    if (listed !== undefined) saved.noteListed(listed);
    return {
      provider: saved.status(),
      models: listed?.map((model) => model.id) ?? saved.settings.models,
      isNew: before === undefined,
    };
  }

  async #remove(id: string, caller: Caller): Promise<void> {
    const instance = this.#free(id);
    if (instance === undefined)
      throw new AppError({
        code: "not_found",
        message: `There is no provider "${id}". GET /api/providers lists them.`,
      });
    await this.#change(id, caller, (records) => {
      const rest = records.filter((record) => record["id"] !== id);
      if (rest.length === records.length) throw notStored(instance);
      return rest;
    });
    await clearVault(this.#parts, id);
  }

  get #kinds(): readonly ProviderDefinition[] {
    return this.#parts.registered.providers;
  }

  #find(id: string): ProviderInstance | undefined {
    return this.#providers.all.find(({ settings }) => settings.id === id);
  }

  /** The provider of that id. Throws where nobody may change it now. */
  #free(id: string): ProviderInstance | undefined {
    const { from } = this.#parts.preferences.list().find(({ key }) => key === list) ?? {};
    if (from !== "stored" && from !== "default")
      throw new AppError({
        code: "set_elsewhere",
        message: `A flag, the environment or the settings file sets ${list}; change it there.`,
      });
    const instance = this.#find(id);
    if (instance === undefined || !this.#providers.isBusy(instance)) return instance;
    throw new AppError({
      code: "in_use",
      message: `A run uses the provider "${id}"; cancel it or wait for its end.`,
    });
  }

  #check(record: ProviderRecord): ProviderDefinition {
    const baseUrl = stringOf(record["base_url"]);
    if (record["type"] === undefined)
      throw new AppError({ code: "missing_field", message: "A new provider needs a type.", param: "type" });
    checkProviders(this.#parts, { [list]: [record] });
    if (baseUrl !== "" && isOwnAddress(this.#parts, baseUrl))
      throw invalid("The service cannot be a provider to itself.", "baseUrl");
    return definitionOf(record, this.#kinds)!;
  }

  /** What it lists; rejects with `provider_auth_failed` or `provider_error`. */
  async #prove(
    { definition, record, prefix, isMoved }: Trial,
    signal: AbortSignal,
  ): Promise<readonly ModelInfo[]> {
    const origin = { key: { set: false, from: "none" }, fixed: false } as const;
    const vault = isMoved ? { vault: emptyVault } : {};
    const trial = new ProviderInstance(this.#parts, {
      definition,
      record,
      prefix,
      quiet: true,
      origin,
      ...vault,
    });
    try {
      const provider = await trial.open();
      const models = await provider.listModels(AbortSignal.any([signal, AbortSignal.timeout(patience)]));
      return chooseModels(trial.settings.models, models);
    } catch (cause) {
      throw this.#failure(cause);
    } finally {
      await trial.close().catch(() => undefined);
    }
  }

  #failure(cause: unknown): AppError {
    if (!AppError.is(cause))
      return new AppError({
        code: "provider_error",
        message: "The provider could not be asked for its models.",
        cause,
      });
    const code = cause.code === "provider_auth_failed" ? cause.code : "provider_error";
    return new AppError({ code, message: this.#parts.redact(cause.message), cause });
  }

  async #store(
    id: string,
    { apiKey, ...change }: ProviderChange,
    { type, caller }: { readonly type: string; readonly caller: Caller },
  ): Promise<void> {
    const name = typeof apiKey === "string" ? await this.#keep(id, apiKey) : undefined;
    const reference: Json | undefined = name === undefined ? apiKey : { secret: name };
    const changed = (record: ProviderRecord): ProviderRecord =>
      changedRecord(record, reference === undefined ? change : { ...change, apiKey: reference }, this.#kinds);
    try {
      await this.#change(id, caller, (records) => {
        if (!records.some((record) => record["id"] === id)) return [...records, changed({ id, type })];
        return records.map((record) => (record["id"] === id ? changed(record) : record));
      });
    } catch (error) {
      if (name !== undefined) await this.#parts.secrets?.delete(name);
      throw error;
    }
  }

  /**
   * Each key has a name of its own: the one before stays with the record that refers to it until the list has
   * changed, so that no crash puts a key beside an address that it was not meant for.
   */
  async #keep(id: string, key: string): Promise<string> {
    const name = `${prefixOf(id)}${randomBytes(4).toString("hex")}`;
    if (this.#parts.secrets === undefined)
      throw invalid(
        "No plugin keeps secrets: take service-secrets out of `disabled` in the settings.",
        "apiKey",
      );
    await this.#parts.secrets.set(name, key);
    return name;
  }

  /** Changes the stored list, then forgets the provider's keys to which it does not refer any more. */
  async #change(
    id: string,
    caller: Caller,
    change: (records: readonly ProviderRecord[]) => readonly ProviderRecord[],
  ): Promise<void> {
    let stored = "";
    await this.#parts.preferences.update(({ [list]: before }) => {
      const records = withNames((before ?? []) as readonly ProviderRecord[], this.#kinds);
      const next = withNames(change(records), this.#kinds);
      stored = JSON.stringify(next);
      return { [list]: next };
    }, caller);
    const { secrets } = this.#parts;
    for (const { name } of (await secrets?.list()) ?? [])
      if (isOf(id, name) && !stored.includes(`"${name}"`)) await secrets?.delete(name);
  }
}

interface Trial {
  readonly definition: ProviderDefinition;
  readonly record: ProviderRecord;
  readonly prefix: string;
  /** What was kept for the place before is not for this one. */
  readonly isMoved: boolean;
}

const prefixOf = (id: string): string => `provider.${id}.`;

const isOf = (id: string, name: string): boolean =>
  name.startsWith(prefixOf(id)) && /^[\da-f]{8}$/.test(name.slice(prefixOf(id).length));

function notStored({ definition, settings }: ProviderInstance): AppError {
  if (definition.always)
    return new AppError({
      code: "built_in",
      message: `"${settings.id}" is built in; it can be switched off.`,
    });
  return new AppError({
    code: "set_elsewhere",
    message: `A variable of the environment brings the provider "${settings.id}"; unset it there.`,
  });
}
