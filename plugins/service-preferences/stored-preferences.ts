import { isDeepStrictEqual } from "node:util";
import {
  AppError,
  KeyedQueue,
  type Awaitable,
  type Caller,
  type Entity,
  type Json,
  type JsonObject,
  type Preference,
  type PreferenceService,
  type Write,
} from "@pergola/sdk";
import type { PreferenceChange, PreferenceFault, PreferenceHost, PreferenceUpdate } from "@pergola/sdk/host";
import { formFault } from "./formats.ts";
import { isFree, refusalOf } from "./refusal.ts";

interface StoredValue extends Entity {
  readonly value: Json;
}

const collection = "service-preferences/values";

/**
 * Throws the first fault, with all in its details; that somebody may not do it at all goes before what is
 * wrong with it.
 */
function throwFaults(faults: readonly PreferenceFault[]): void {
  const first = faults.find(({ code }) => code === "remote_not_allowed") ?? faults[0];
  if (first === undefined) return;
  const { key: param, code, message } = first;
  throw new AppError({
    code,
    message,
    param,
    details: { faults: faults.map(({ key, ...fault }) => ({ param: key, ...fault })) },
  });
}

/** The host's table of preferences, and the values among them that are kept in the store. */
export class StoredPreferences implements PreferenceService {
  readonly #host: PreferenceHost;
  readonly #guards: ((values: JsonObject, caller: Caller) => void)[] = [];
  readonly #watchers: ((keys: readonly string[]) => Awaitable<void>)[] = [];
  /** What is stored, as it was written. */
  readonly #stored = new Map<string, Json>();
  /** Stored keys of nobody: their plugin is not here. */
  readonly #orphans = new Set<string>();
  #valuesAtStart: ReadonlyMap<string, Json> = new Map();
  readonly #turns = new KeyedQueue();

  constructor(host: PreferenceHost) {
    this.#host = host;
  }

  get<T extends Json = Json>(key: string): T {
    return this.#host.table.get<T>(key);
  }

  list(): readonly Preference[] {
    return this.#host.table.list();
  }

  isDefault(key: string): boolean {
    return this.#host.table.isDefault(key);
  }

  refusal(preference: Preference, caller: Caller): string | null {
    return refusalOf(preference, caller, this.get<boolean>("server.remote_admin"))?.message ?? null;
  }

  guard(check: (values: JsonObject, caller: Caller) => void): void {
    this.#guards.push(check);
  }

  watch(changed: (keys: readonly string[]) => Awaitable<void>): void {
    this.#watchers.push(changed);
  }

  /**
   * Puts what is stored in force. What does not fit any more stays stored and is left out, which the log
   * tells.
   */
  async load(): Promise<void> {
    const records = await this.#host.stores.storage
      .collection<StoredValue>(collection, { indexes: [] })
      .find({}, { limit: 100_000 });
    const known = this.#byKey();
    for (const { id, value } of records) {
      this.#stored.set(id, value);
      const preference = known.get(id);
      if (preference === undefined) this.#orphans.add(id);
      if (preference === undefined || isFree(preference)) await this.#apply(id, value);
    }
    this.#valuesAtStart = new Map(this.list().map(({ key, value }) => [key, value]));
    const { storage } = this.#host.stores;
    if (storage.hosts !== undefined) storage.watch(collection, ({ id }) => void this.#follow(id));
  }

  /** Another host on the same storage may have changed it. */
  #follow(key: string): Promise<void> {
    return this.#turns
      .run("update", async () => {
        const { stores, log } = this.#host;
        const stored = await stores.storage.collection<StoredValue>(collection, { indexes: [] }).get(key);
        const value = stored?.value ?? null;
        if (isDeepStrictEqual(value, this.#stored.get(key) ?? null)) return;
        if (value === null) this.#stored.delete(key);
        else this.#stored.set(key, value);
        const preference = this.#byKey().get(key);
        if (preference === undefined || !isFree(preference)) return;
        await this.#apply(key, value);
        await this.#notify([key]);
        log.info({ preference: key }, "a preference was changed at another host");
      })
      .catch((error: unknown) => {
        this.#host.log.warn({ error, preference: key }, "a preference could not be read; trying again");
        setTimeout(() => void this.#follow(key), 1000).unref();
      });
  }

  async #apply(key: string, value: Json): Promise<void> {
    const { table, log } = this.#host;
    await table.prepare({ [key]: value });
    const { changes, faults, secrets } = table.read({ [key]: value });
    this.#host.learnSecrets(secrets);
    try {
      throwFaults(faults);
      this.#host.check(valuesOf(changes));
      table.set(changes);
    } catch (error) {
      if (!AppError.is(error)) throw error;
      log.warn({ preference: key }, `A stored preference is left out: ${error.message}`);
    }
  }

  update(
    changes: JsonObject | ((stored: JsonObject) => JsonObject),
    caller: Caller,
  ): Promise<PreferenceUpdate> {
    return this.#turns.run("update", () => {
      if (typeof changes === "function")
        return this.#update(changes(Object.fromEntries(this.#stored)), caller);
      return this.#update(changes, caller);
    });
  }

  async #update(values: JsonObject, caller: Caller): Promise<PreferenceUpdate> {
    const { table, stores } = this.#host;
    const remoteAdmin = this.get<boolean>("server.remote_admin");
    const mayRemove = !caller.remote || remoteAdmin;
    const orphans = Object.keys(values).filter(
      (key) => mayRemove && values[key] === null && this.#orphans.has(key),
    );
    await table.prepare(values);
    const { changes, faults, secrets } = table.read(
      Object.fromEntries(Object.entries(values).filter(([key]) => !orphans.includes(key))),
    );
    this.#host.learnSecrets(secrets);
    const known = this.#byKey();
    const named = changes.map(({ key, value }) => ({ preference: known.get(key) as Preference, value }));
    const refused = named.flatMap(({ preference }) => refusalOf(preference, caller, remoteAdmin) ?? []);
    const misshapen = named.flatMap(({ preference, value }) => formFault(preference, value) ?? []);
    throwFaults([...refused, ...faults, ...misshapen]);
    this.#host.check(valuesOf(changes));
    for (const check of this.#guards) check(valuesOf(changes), caller);
    const removals = orphans.map((key) => ({ key, input: null }));
    await stores.commit([...changes, ...removals].map(write));
    table.set(changes);
    for (const { key, input } of [...changes, ...removals]) {
      if (input === null) this.#stored.delete(key);
      else this.#stored.set(key, input);
    }
    for (const key of orphans) this.#orphans.delete(key);
    const keys = changes.map(({ key }) => key);
    await this.#notify(keys);
    const now = this.#byKey();
    return {
      changed: keys.map((key) => now.get(key) as Preference),
      restartRequired: keys.filter((key) => this.#needsRestart(now.get(key))),
    };
  }

  /** In force only after a restart, and not what this host started with. */
  #needsRestart(preference: Preference | undefined): boolean {
    if (preference?.schema["x-restart"] !== true) return false;
    return !isDeepStrictEqual(preference.value, this.#valuesAtStart.get(preference.key));
  }

  /** What is stored is in force, whatever becomes of those who listen. */
  async #notify(keys: readonly string[]): Promise<void> {
    for (const changed of this.#watchers) {
      try {
        await changed(keys);
      } catch (error) {
        this.#host.log.error({ error, keys }, "a change of preferences was not followed by everything");
      }
    }
  }

  #byKey(): ReadonlyMap<string, Preference> {
    return new Map(this.list().map((preference) => [preference.key, preference]));
  }
}

const valuesOf = (changes: readonly PreferenceChange[]): JsonObject =>
  Object.fromEntries(changes.map(({ key, value }) => [key, value]));

function write({ key, input }: Pick<PreferenceChange, "key" | "input">): Write {
  if (input === null) return { collection, delete: key };
  const put: StoredValue = { id: key, value: input };
  return { collection, put };
}

/** The part, with what the store keeps in force. */
export async function openPreferences(host: PreferenceHost): Promise<StoredPreferences> {
  const preferences = new StoredPreferences(host);
  await preferences.load();
  return preferences;
}
