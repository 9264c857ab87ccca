import {
  didYouMean,
  messageOf,
  PluginError,
  type Awaitable,
  type HookName,
  type Hooks,
  type PluginHost,
  type JsonObject,
  type PluginStatus,
  type Storage,
  type StorageDefinition,
  type StorageDoor,
  type Tool,
} from "@pergola/sdk";
import {
  type AuditFact,
  type HostPlugin,
  describeDifference,
  providesOf,
  type PartFactories,
  type PartLife,
} from "@pergola/sdk/host";
import { createHooks, type HookBus } from "../hooks/create-hooks.ts";
import { deadlines, stepNames, within } from "./deadlines.ts";
import type { FoundPlugin } from "./discover.ts";
import { EarlyParts } from "./early-parts.ts";
import { createPluginHost, type RunningHost } from "./plugin-host.ts";
import { TrustedPlugins } from "./trusted-plugins.ts";
import type { LifecycleOptions } from "./lifecycle-options.ts";
import { Registry, type RegisteredPlugin } from "./registry.ts";
import { PluginFaults } from "./plugin-faults.ts";
import { everyPlugin, sentences } from "./plugin-status.ts";
import { lackOf } from "./storage-members.ts";
import { Supervisors } from "./supervisors.ts";
import { noteFact } from "./supply-audit.ts";

interface Loaded {
  readonly plugin: HostPlugin;
  readonly host: PluginHost;
  readonly parts: PartLife[];
  /** It has something to stop. */
  active: boolean;
  stopped?: Promise<void>;
}

/**
 * Takes all plugins from their manifests to work, and back. A faulty one is left out with all it brought,
 * loudly; the others go on.
 */
export class Lifecycle {
  readonly registry = new Registry();
  readonly hooks: HookBus["hooks"];
  readonly early: EarlyParts;
  readonly #bus: HookBus;
  readonly #options: LifecycleOptions;
  readonly #supervisors: Supervisors;
  readonly #trusted: TrustedPlugins;
  readonly #deadlines: typeof deadlines;
  readonly #loaded = new Map<string, Loaded>();
  readonly faults = new PluginFaults();
  #running: RunningHost | undefined;

  constructor(options: LifecycleOptions) {
    this.#options = options;
    this.#deadlines = { ...deadlines, ...options.deadlines };
    this.#bus = createHooks({
      log: options.log,
      failed: (fault) => this.leaveOut(fault),
      deadline: this.#deadlines.collect,
    });
    this.hooks = this.#bus.hooks;
    const { discovery, preferences } = options;
    this.early = new EarlyParts({
      ...options,
      plugins: discovery.plugins,
      deadline: this.#deadlines.import,
      preference: (key) => preferences.valueOf(key),
      missing: (name) => this.#missingPart(name),
    });
    this.#supervisors = new Supervisors({
      ...options,
      ...options.supply,
      early: this.early,
      changed: (id, fault) => this.#change(id, fault),
    });
    this.#trusted = new TrustedPlugins({ ...options, failed: this.broken });
    for (const fault of discovery.faults) this.leaveOut(fault);
  }

  /** Imports and registers. */
  async load(): Promise<void> {
    const plugins = this.#options.discovery.plugins.filter(({ kind }) => kind !== "bundle");
    const imported = new Map<string, HostPlugin | undefined>();
    const importPlugin = (found: FoundPlugin): Promise<HostPlugin> =>
      found.tier === "trusted" ? this.#trusted.open(found) : this.#supervisors.open(found);
    const importAll = (chosen: readonly FoundPlugin[], step: "import" | "importOwn"): Promise<unknown> =>
      Promise.all(
        chosen.map(async (found) =>
          imported.set(found.id, await this.#step(found.id, step, () => importPlugin(found))),
        ),
      );
    // The walls are tried meanwhile.
    if (plugins.some(({ tier }) => tier === "isolated")) void this.early.tryWalls();
    // Side by side; those of others have their time to themselves.
    const isOwn = ({ package: name }: FoundPlugin): boolean => name.startsWith("@pergola/");
    await importAll(plugins.filter(isOwn), "importOwn");
    await importAll(
      plugins.filter((found) => !isOwn(found)),
      "import",
    );
    for (const found of plugins) {
      const plugin = imported.get(found.id);
      const current = this.#supervisors.current(found);
      if (plugin !== undefined) await this.#step(found.id, "register", () => this.#register(current, plugin));
    }
  }

  /** Waits for the walls, collects and seals. Afterwards no hook can be tapped and nothing can be added. */
  async collect(): Promise<void> {
    for (const found of this.#supervisors.opened)
      await this.#step(found.id, "import", () => this.#supervisors.walled(found));
    await this.hooks.collectTools({ add: () => undefined });
    this.registry.seal();
    this.#bus.close();
  }

  async start(running: RunningHost): Promise<void> {
    this.#running = running;
    for (const [id, loaded] of this.#loaded) {
      const { plugin, parts, host } = loaded;
      const begin = async (): Promise<void> => {
        loaded.active = true;
        for (const part of parts) await part.recover?.();
        await plugin.start?.(host);
      };
      // Hundreds may have nothing to begin.
      if (plugin.start === undefined && parts.length === 0) loaded.active = !this.faults.has(id);
      else await this.#step(id, "start", begin);
    }
  }

  /** In reverse, and to the end whatever fails. What handlers of hooks have begun is waited for. */
  async stop(): Promise<void> {
    await this.#bus.settled(this.#deadlines.stop);
    for (const id of [...this.#loaded.keys()].reverse()) await this.#stop(id);
  }

  /** Opens the backend of a type. Rejects with what it says, or the fault of the plugin that brings it. */
  async openStorage(type: string, settings: JsonObject, door: StorageDoor): Promise<Storage> {
    const storage = await this.storage(type).open(settings, door);
    const message = lackOf(type, storage);
    if (message === undefined) return storage;
    await storage.close?.();
    throw new PluginError(this.#providerOf("storages", type)?.id ?? type, "validate", message);
  }

  /** The backend of a type. Throws the fault of the plugin that should have brought it. */
  storage(type: string): StorageDefinition {
    const { storages } = this.registry;
    const found = storages.find((storage) => storage.type === type);
    if (found !== undefined) return found;
    const hint = didYouMean(type, new Set(storages.map((storage) => storage.type)));
    const message = `no plugin provides the storage type "${type}".${hint}`;
    throw this.#missing("storages", type, message, "correct storage.type in the settings");
  }

  /** How a part of the host is made. Throws the fault of the plugin that should have brought it. */
  part<K extends keyof PartFactories>(name: K): NonNullable<PartFactories[K]> {
    const found = this.registry.part(name);
    if (found !== undefined) return found.make;
    throw this.#missingPart(name);
  }

  #missingPart(name: string): PluginError {
    const message = `no plugin brings the part "${name}"`;
    return this.#missing("parts", name, message, "take its name out of disabled");
  }

  /** From now on this part recovers and stops with the plugin that brought it. */
  keep(name: keyof PartFactories, part: PartLife): void {
    this.#loaded.get(this.registry.part(name)?.plugin ?? "")?.parts.push(part);
  }

  /** The fault of the plugin whose manifest promises it, or else of the settings. */
  #missing(kind: "storages" | "parts", name: string, message: string, advice: string): PluginError {
    const promised = this.#providerOf(kind, name);
    const remedy = `Install such a plugin, or ${advice}.`;
    return this.faults.get(promised?.id ?? "") ?? new PluginError(name, "open", message, { remedy });
  }

  /** The plugin whose manifest promises something. */
  #providerOf(kind: "storages" | "parts", name: string): FoundPlugin | undefined {
    return this.#options.discovery.all.find(({ provides }) => provides[kind]?.includes(name));
  }

  /** Of all plugins, or of those that are wanted. */
  status(isWanted = (_: Pick<FoundPlugin, "id" | "tier">): boolean => true): readonly PluginStatus[] {
    const statusOf = this.#supervisors.statuses();
    const wanted = everyPlugin(this.#options.discovery, this.faults).filter(isWanted);
    return wanted.map((found) =>
      statusOf(found, { fault: this.faults.get(found.id), hooks: this.#bus.countsOf(found.id) }),
    );
  }

  /** Tries a plugin again whose breaker was closed; any other one waits for the next start. */
  readonly retry = (id: string): Promise<void> => this.#supervisors.retry(id);

  /** Notes what is wrong with a plugin that stays in its place. */
  readonly broken = (error: PluginError): void => {
    this.#change(error.plugin, error);
    this.#options.log.error({ plugin: error.plugin, error }, sentences(error));
  };

  /** What is wrong with a plugin for the time being, or nothing any more; what it brought stays. */
  #change(id: string, fault: PluginError | undefined): void {
    if (fault === undefined) this.faults.delete(id);
    else this.faults.set(id, fault);
  }

  /** Withdraws all that a plugin brought, and leaves out those that need it. */
  leaveOut(fault: PluginError): void {
    const { plugin: id, step } = fault;
    if (this.faults.has(id)) return;
    this.faults.set(id, fault);
    this.registry.withdraw(id);
    this.#bus.withdraw(id);
    this.#options.log.error({ plugin: id, step, error: fault }, `Left out: ${sentences(fault)}`);
    void this.#stop(id);
    const message = `it needs ${id}, which was left out`;
    for (const { id: other, after } of this.#options.discovery.plugins)
      if (after.includes(id)) this.leaveOut(new PluginError(other, step, message, { cause: fault }));
  }

  /** One step of one plugin, within its deadline; a failure leaves the plugin out. */
  async #step<T>(id: string, step: keyof typeof deadlines, work: () => Awaitable<T>): Promise<T | undefined> {
    if (this.faults.has(id)) return undefined;
    try {
      return await within(this.#deadlines[step], work);
    } catch (cause) {
      if (PluginError.is(cause)) this.leaveOut(cause);
      else this.leaveOut(new PluginError(id, stepNames[step] ?? step, messageOf(cause), { cause }));
      return undefined;
    }
  }

  async #register(found: FoundPlugin, plugin: HostPlugin): Promise<void> {
    const { preferences, log, clock } = this.#options;
    const { id, settings: schemas, tier } = found;
    const registered: RegisteredPlugin = {
      ...found,
      preferences: schemas,
      collections: plugin.collections ?? {},
      settings: () => Object.fromEntries(Object.keys(schemas).map((key) => [key, preferences.get(key)])),
    };
    const taps: HookName[] = [];
    const tap = this.#tapOf(registered, taps);
    const running = (): RunningHost | undefined => this.#running;
    const sandbox = () => this.early.sandbox();
    const note = (fact: AuditFact): void => noteFact(this.#options, fact);
    const host = createPluginHost(registered, { log, clock, running, tap, sandbox, note });
    this.#loaded.set(id, { plugin, host, parts: [], active: tier === "isolated" });
    await plugin.register?.(host);
    Object.freeze(taps);
    const fault = describeDifference(found.provides, providesOf(plugin, taps));
    const remedy = "Manifest and code must say the same; this may be a half-finished update.";
    if (fault !== undefined) throw new PluginError(id, "collect", fault, { remedy });
    this.registry.addAll(plugin, registered);
    this.#supervisors.learn(id, plugin);
    if (tier === "trusted") this.#trusted.learn(found, plugin);
  }

  /** Writes down what a plugin taps until it has registered; a collector's registry knows whose it is. */
  #tapOf(plugin: RegisteredPlugin, taps: HookName[]): PluginHost["tap"] {
    return (name, handler, options) => {
      const { id } = plugin;
      if (Object.isFrozen(taps))
        throw new PluginError(id, "register", `it taps ${name} too late; taps are accepted only in register`);
      const add = (tool: Tool): void => this.registry.addTool(tool, plugin);
      const collect: Hooks["collectTools"] = () => (handler as Hooks["collectTools"])({ add });
      const tapped = name === "collectTools" ? (collect as typeof handler) : handler;
      this.#bus.tap(id, name, tapped, options?.stage);
      taps.push(name);
    };
  }

  async #stop(id: string): Promise<void> {
    const loaded = this.#loaded.get(id);
    if (loaded?.active !== true) return;
    const failed = (error: unknown): void =>
      this.#options.log.error({ plugin: id, step: "stop", error }, `${id} did not stop cleanly`);
    loaded.stopped ??= within(this.#deadlines.stop, async () => {
      await loaded.plugin.stop?.(loaded.host);
      for (const part of loaded.parts.toReversed()) await part.stop?.();
    }).catch(failed);
    await loaded.stopped;
  }
}
