import {
  messageOf,
  PluginError,
  type CollectionOptions,
  type EndpointGroup,
  type JsonObject,
  type Properties,
  type ProviderDefinition,
  type Route,
  type StorageDefinition,
  type Tool,
} from "@pergola/sdk";
import type { HostPlugin, PartFactories, RegisteredTool } from "@pergola/sdk/host";
import type { FoundPlugin } from "./discover.ts";

/** A plugin as those see it who call its code. */
export interface RegisteredPlugin extends Omit<FoundPlugin, "settings"> {
  readonly collections: Readonly<Record<string, CollectionOptions>>;
  /** The schemas of its own preferences. */
  readonly preferences: Properties;
  /** Its own preferences, with the values in force. */
  settings(): JsonObject;
}

interface Tables {
  readonly tool: RegisteredTool;
  readonly provider: ProviderDefinition;
  readonly storage: StorageDefinition;
  readonly route: Route & { readonly group: string };
  readonly part: { readonly name: keyof PartFactories; readonly make: unknown; readonly plugin: string };
}

interface Entry {
  readonly kind: keyof Tables;
  readonly value: Tables[keyof Tables];
  readonly plugin: string;
}

/** How a part is made, and the plugin that brings it. */
interface BroughtPart<K extends keyof PartFactories> {
  readonly make: NonNullable<PartFactories[K]>;
  readonly plugin: string;
}

const folded = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll("-", "_")
    .replaceAll(/\{[^}…]*(…?)\}/g, "{$1}");

const scopes = ["open", "read", "chat", "tools", "approve", "admin", "owner"];

/** Nobody knows whom to let in to a route that does not say it. */
function checkNamesScope({ method, path, scope }: Route, plugin: string): void {
  if (scopes.includes(scope)) return;
  throw new PluginError(plugin, "collect", `the route ${method} ${path} names no scope`, {
    remedy: `Its plugin must give it one of ${scopes.join(", ")} as scope.`,
  });
}

/** The same factory, whose fault names the plugin. */
const faultsNamed =
  (id: string, part: string, make: (...args: never[]) => unknown) =>
  (...args: never[]): unknown => {
    try {
      return make(...args);
    } catch (error) {
      const message = `the part "${part}" could not be made: ${messageOf(error)}`;
      throw new PluginError(id, "open", message, { cause: error });
    }
  };

/**
 * What all plugins bring, each thing under its names. A name that is taken is a fault of the plugin that
 * comes later.
 */
export class Registry {
  readonly #entries = new Map<string, Entry>();
  #sealed = false;

  get tools(): readonly RegisteredTool[] {
    return this.#all("tool");
  }

  get providers(): readonly ProviderDefinition[] {
    return this.#all("provider");
  }

  get routes(): readonly Tables["route"][] {
    return this.#all("route");
  }

  get storages(): readonly StorageDefinition[] {
    return this.#all("storage");
  }

  /** How a part of the host is made, and the plugin that brings it; undefined when none does. */
  part<K extends keyof PartFactories>(name: K): BroughtPart<K> | undefined {
    const found = this.#all("part").find((part) => part.name === name);
    return found as BroughtPart<K> | undefined;
  }

  /** Who brought what has this name; undefined where nobody did. */
  pluginOf(kind: keyof Tables, name: string): string | undefined {
    return this.#entries.get(`${kind} ${folded(name)}`)?.plugin;
  }

  addTool(tool: Tool, plugin: RegisteredTool["plugin"] & Pick<FoundPlugin, "file">): void {
    this.#add("tool", [tool.name, ...(tool.names ?? [])], { tool, plugin }, plugin);
  }

  /** Adds everything a plugin provides. Throws PluginError at the first name that is taken. */
  addAll(
    { tools = [], providers = [], storages = [], endpoints = [], parts = {} }: HostPlugin,
    plugin: RegisteredPlugin,
  ): void {
    for (const tool of tools) this.addTool(tool, plugin);
    for (const provider of providers) this.#add("provider", [provider.type], provider, plugin);
    for (const storage of storages) this.#add("storage", [storage.type], storage, plugin);
    this.#addParts(parts, plugin);
    for (const endpoint of endpoints) this.#addRoutes(endpoint, plugin);
  }

  #addParts(parts: PartFactories, plugin: RegisteredPlugin): void {
    for (const [name, factory] of Object.entries(parts)) {
      const make = faultsNamed(plugin.id, name, factory);
      this.#add("part", [name], { name: name as keyof PartFactories, make, plugin: plugin.id }, plugin);
    }
  }

  #addRoutes({ group, routes }: EndpointGroup, plugin: RegisteredPlugin): void {
    for (const route of routes) {
      checkNamesScope(route, plugin.id);
      const paths = [route.path, ...(route.aliases ?? [])];
      const names = paths.map((path) => `${route.method} ${path}${route.yields ? " (yields)" : ""}`);
      this.#add("route", names, { ...route, group }, plugin);
    }
  }

  withdraw(plugin: string): void {
    for (const [name, entry] of this.#entries) if (entry.plugin === plugin) this.#entries.delete(name);
  }

  seal(): void {
    this.#sealed = true;
  }

  #all<K extends keyof Tables>(kind: K): readonly Tables[K][] {
    const entries = [...this.#entries.values()].filter((entry) => entry.kind === kind);
    return [...new Set(entries.map(({ value }) => value as Tables[K]))];
  }

  #add<K extends keyof Tables>(
    kind: K,
    names: readonly string[],
    value: Tables[K],
    { id, file }: Pick<RegisteredPlugin, "id" | "file">,
  ): void {
    if (this.#sealed)
      throw new PluginError(id, "collect", `the ${kind} ${names[0]} comes too late; everything is collected`);
    for (const name of new Set(names.map((each) => `${kind} ${folded(each)}`))) {
      const existing = this.#entries.get(name);
      if (existing !== undefined)
        throw new PluginError(id, "collect", `the ${name} is already provided by ${existing.plugin}`, {
          remedy: file === undefined ? "Name one of the two under disabled." : `Rename ${file.path}.`,
        });
      this.#entries.set(name, { kind, value, plugin: id });
    }
  }
}
