import type { Clock } from "./clock.ts";
import type { EndpointGroup } from "./endpoint.ts";
import type { HookName, Hooks } from "./hooks.ts";
import type { Log } from "./log.ts";
import type { ProviderDefinition } from "./provider.ts";
import type { Services } from "./services.ts";
import type { Collection, CollectionOptions, Entity, Storage, StorageDefinition } from "./storage.ts";
import type { TodoKeeper } from "./todos.ts";
import type { Tool } from "./tool.ts";
import type { Awaitable, Json } from "../util/json.ts";

/** What a plugin sees of the host. */
export interface PluginHost {
  readonly id: string;
  /** The plugin's own settings, checked against its manifest, defaults filled in. */
  readonly settings: { readonly [key: string]: Json };
  readonly log: Log;
  readonly clock: Clock;
  /** Usable from `start` on. */
  readonly services: Services;
  /**
   * Taps a hook under the plugin's id; accepted only in `register`. `early` runs before, `late` after the
   * plugins without a stage.
   */
  tap<N extends HookName>(name: N, handler: Hooks[N], options?: { readonly stage?: "early" | "late" }): void;
  /**
   * Records of the plugin's own; usable from `start` on. Those of a conversation change for the run that this
   * host works on there: a write rejects with `conflict` once another host has that run.
   */
  collection<T extends Entity>(
    name: string,
    options?: CollectionOptions,
    conversationId?: string,
  ): Collection<T>;
}

/** A plugin's default export: data, from which the host makes its taps and tables. */
export interface Plugin {
  readonly tools?: readonly Tool[];
  readonly providers?: readonly ProviderDefinition[];
  readonly storages?: readonly StorageDefinition[];
  readonly endpoints?: readonly EndpointGroup[];
  /** Parts of the host that any plugin may bring. They are made once, before `start`. */
  readonly parts?: {
    readonly todos?: (host: { readonly stores: { readonly storage: Storage } }) => TodoKeeper;
  };
  /** The indexes of the collections that its operations use, by name. */
  readonly collections?: Readonly<Record<string, CollectionOptions>>;
  /**
   * Taps for cross-cutting behaviour, and nothing else. Where the manifest promises no hooks it may run late:
   * before the plugin's first call.
   */
  register?(host: PluginHost): Awaitable<void>;
  start?(host: PluginHost): Awaitable<void>;
  stop?(host: PluginHost): Awaitable<void>;
}

/** Checks the types of a plugin's default export; returns it unchanged. */
export function definePlugin(plugin: Plugin): Plugin {
  return plugin;
}

/** The generation of the contracts in this package; a manifest's `sdk` range must hold it. */
export const sdkGeneration = "1.0.0";
