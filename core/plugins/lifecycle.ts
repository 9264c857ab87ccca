import {
  PluginError,
  type Awaitable,
  type Clock,
  type Collection,
  type CollectionOptions,
  type Entity,
  type HookName,
  type Hooks,
  type Log,
  type Plugin,
  type PluginHost,
  type PluginStatus,
  type Services,
  type StorageDefinition,
} from "@pergola/sdk";
import { createHooks, type HookBus } from "../hooks/create-hooks.ts";
import { withDeadline } from "../hooks/with-deadline.ts";
import { withFields } from "../log.ts";
import { didYouMean } from "../settings/nearest.ts";
import type { Preferences } from "../settings/preferences.ts";
import type { Discovery, FoundPlugin } from "./discover.ts";
import { loadPlugin } from "./load.ts";
import { difference, providesOf } from "./provides.ts";
import { Registry, type RegisteredPlugin } from "./registry.ts";

/** Milliseconds that a plugin may take for a step. */
const deadlines = { import: 30_000, register: 10_000, collect: 30_000, start: 30_000, stop: 5_000 };

export interface LifecycleOptions {
  readonly discovery: Discovery;
  readonly preferences: Preferences;
  readonly log: Log;
  readonly clock: Clock;
  readonly deadlines?: Partial<typeof deadlines>;
}

/** What plugins may use from `start` on. */
export interface RunningHost {
  readonly services: Services;
  collection<T extends Entity>(plugin: string, name: string, options: CollectionOptions): Collection<T>;
}

interface Loaded {
  readonly found: RegisteredPlugin;
  readonly plugin: Plugin;
  readonly host: PluginHost;
  /** It has something to stop. */
  active: boolean;
  stopped?: Promise<void>;
}

/** Takes all plugins from their manifests to work, and back. A faulty one is left out with all it brought, and said loudly; the others go on. */
export class Lifecycle {
  readonly registry = new Registry();
  readonly hooks: Hooks;
  readonly #bus: HookBus;
  readonly #options: LifecycleOptions;
  readonly #deadlines: typeof deadlines;
  readonly #loaded = new Map<string, Loaded>();
  readonly #faults = new Map<string, PluginError>();
  #running: RunningHost | undefined;

  constructor(options: LifecycleOptions) {
    this.#options = options;
    this.#deadlines = { ...deadlines, ...options.deadlines };
    this.#bus = createHooks({ log: options.log, failed: (fault) => this.leaveOut(fault), deadline: this.#deadlines.collect });
    this.hooks = this.#bus.hooks;
    for (const fault of options.discovery.faults) this.leaveOut(fault);
  }

  /** Imports, registers, collects and seals. Afterwards no hook can be tapped and nothing can be added. */
  async load(): Promise<void> {
    const wanted = this.#options.discovery.plugins.filter(({ kind }) => kind !== "bundle");
    const imported = await Promise.all(wanted.map((found) => this.#step(found, "import", () => this.#import(found))));
    for (const [index, found] of wanted.entries()) {
      const plugin = imported[index];
      if (plugin !== undefined) await this.#step(found, "register", () => this.#register(found, plugin));
    }
    await this.hooks.collectTools({ add: () => undefined });
    this.registry.seal();
    this.#bus.close();
  }

  async start(running: RunningHost): Promise<void> {
    this.#running = running;
    for (const loaded of this.#loaded.values()) {
      await this.#step(loaded.found, "start", async () => {
        loaded.active = true;
        await loaded.plugin.start?.(loaded.host);
      });
    }
  }

  /** In reverse, and to the end whatever fails. */
  async stop(): Promise<void> {
    for (const id of [...this.#loaded.keys()].reverse()) await this.#stop(id);
  }

  /** The backend for the settings' storage type. Throws the fault of the plugin that should have brought it. */
  storage(type: string): StorageDefinition {
    const { storages } = this.registry;
    const found = storages.find((storage) => storage.type === type);
    if (found !== undefined) return found;
    const promised = this.#options.discovery.all.find(({ provides }) => provides.storages?.includes(type));
    const fault = promised && this.#faults.get(promised.id);
    const hint = didYouMean(
      type,
      storages.map((storage) => storage.type),
    );
    throw (
      fault ??
      new PluginError("storage", "open", `no plugin provides the storage type "${type}".${hint}`, {
        remedy: "Install such a plugin, or correct storage.type in the settings.",
      })
    );
  }

  status(): readonly PluginStatus[] {
    const known = this.#options.discovery.all.map((found) => this.#statusOf(found));
    const lost = [...this.#faults.values()].filter(({ plugin }) => known.every(({ id }) => id !== plugin));
    return [
      ...known,
      ...lost.map(
        ({ plugin: id, message, remedy }) =>
          ({
            id,
            kind: "unknown",
            version: "",
            folder: "",
            tier: "isolated",
            state: "left out",
            fault: `${message}. ${remedy}`,
            provides: {},
            hooks: [],
          }) as const,
      ),
    ];
  }

  /** Withdraws all that a plugin brought, and leaves out those that need it. */
  leaveOut(fault: PluginError): void {
    const { plugin: id, step, message, remedy } = fault;
    if (this.#faults.has(id)) return;
    this.#faults.set(id, fault);
    this.registry.withdraw(id);
    this.#bus.withdraw(id);
    this.#options.log.error({ plugin: id, step, error: fault }, `${message}. It is left out. ${remedy}`);
    void this.#stop(id);
    const dependents = this.#options.discovery.plugins.filter(({ after }) => after.includes(id));
    for (const dependent of dependents)
      this.leaveOut(new PluginError(dependent.id, step, `it needs ${id}, which was left out`, { cause: fault }));
  }

  #statusOf({ id, kind, version, folder, tier, disabled, provides }: FoundPlugin): PluginStatus {
    const fault = this.#faults.get(id);
    const state = disabled ? "disabled" : fault === undefined ? "running" : "left out";
    const hooks = this.#bus.countsOf(id).map(({ name, calls, milliseconds, failures }) => ({ name, calls, milliseconds, failures }));
    return {
      id,
      kind,
      version,
      folder,
      tier,
      state,
      fault: fault === undefined ? null : `${fault.message}. ${fault.remedy}`,
      provides: { ...provides },
      hooks,
    };
  }

  /** One step of one plugin, within its deadline; a failure leaves the plugin out. */
  async #step<T>({ id }: { readonly id: string }, step: keyof typeof deadlines, work: () => Awaitable<T>): Promise<T | undefined> {
    if (this.#faults.has(id)) return undefined;
    const limit = this.#deadlines[step];
    try {
      return await withDeadline(Promise.resolve().then(work), limit, () => new Error(`it took longer than ${limit / 1000} s`));
    } catch (error) {
      this.leaveOut(
        PluginError.is(error) ? error : new PluginError(id, step, error instanceof Error ? error.message : String(error), { cause: error }),
      );
      return undefined;
    }
  }

  async #import(found: FoundPlugin): Promise<Plugin> {
    if (found.tier === "trusted") return loadPlugin(found.entry);
    const { openIsolated } = await import("./isolated/open-isolated.ts");
    return openIsolated(found, {
      log: withFields(this.#options.log, { plugin: found.id }),
      deadline: this.#deadlines.import,
      broken: (fault) => this.leaveOut(fault),
    });
  }

  async #register(found: FoundPlugin, plugin: Plugin): Promise<void> {
    const { preferences } = this.#options;
    const settings = () => Object.fromEntries(Object.keys(found.settings).map((key) => [key, preferences.get(key)]));
    const registered: RegisteredPlugin = { ...found, collections: plugin.collections ?? {}, settings };
    const taps: HookName[] = [];
    const host = this.#hostOf(registered, taps);
    this.#loaded.set(found.id, { found: registered, plugin, host, active: found.tier === "isolated" });
    await plugin.register?.(host);
    Object.freeze(taps);
    const fault = difference(found.provides, providesOf(plugin, taps));
    if (fault !== undefined)
      throw new PluginError(found.id, "collect", fault, {
        remedy: "Manifest and code must say the same; this may be a half-finished update.",
      });
    this.registry.addAll(plugin, registered);
  }

  #hostOf(found: RegisteredPlugin, taps: HookName[]): PluginHost {
    const { log, clock } = this.#options;
    const { id, collections } = found;
    const running = (): RunningHost => {
      if (this.#running === undefined) throw new PluginError(id, "register", "services and collections can be used from start on");
      return this.#running;
    };
    return {
      id,
      clock,
      log: withFields(log, { plugin: id }),
      get settings() {
        return found.settings();
      },
      get services() {
        return running().services;
      },
      collection: (name, options) => running().collection(id, name, options ?? collections[name] ?? { indexes: [] }),
      tap: (name, handler, options) => {
        if (Object.isFrozen(taps)) throw new PluginError(id, "register", `it taps ${name} too late; taps are accepted only in register`);
        const collect: Hooks["collectTools"] = () =>
          (handler as Hooks["collectTools"])({ add: (tool) => this.registry.addTool(tool, found) });
        this.#bus.tap(id, name, name === "collectTools" ? (collect as typeof handler) : handler, options?.stage);
        taps.push(name);
      },
    };
  }

  async #stop(id: string): Promise<void> {
    const loaded = this.#loaded.get(id);
    if (loaded?.active !== true) return;
    const limit = this.#deadlines.stop;
    const stop = async (): Promise<void> => loaded.plugin.stop?.();
    loaded.stopped ??= withDeadline(stop(), limit, () => new Error(`it took longer than ${limit / 1000} s`)).catch((error: unknown) =>
      this.#options.log.error({ plugin: id, step: "stop", error }, `${id} did not stop cleanly`),
    );
    await loaded.stopped;
  }
}
