import {
  PluginError,
  type Clock,
  type Collection,
  type CollectionOptions,
  type Entity,
  type Log,
  type PluginHost,
  type Services,
} from "@pergola/sdk";
import { withFields, type ProgramHost } from "@pergola/sdk/host";
import type { RegisteredPlugin } from "./registry.ts";

/** What plugins may use from `start` on. */
export interface RunningHost {
  readonly services: Services;
  collection<T extends Entity>(
    plugin: string,
    name: string,
    options: CollectionOptions,
    conversationId?: string,
  ): Collection<T>;
}

interface Host extends Pick<ProgramHost, "sandbox" | "note"> {
  readonly log: Log;
  readonly clock: Clock;
  readonly running: () => RunningHost | undefined;
  readonly tap: PluginHost["tap"];
}

/** What a plugin sees of the host. Services and collections are there once the host runs. */
export function createPluginHost(
  plugin: RegisteredPlugin,
  { log, clock, running, tap, sandbox, note }: Host,
): ProgramHost {
  const { id, collections } = plugin;
  const host = (): RunningHost => {
    const found = running();
    if (found === undefined)
      throw new PluginError(id, "register", "services and collections can be used from start on");
    return found;
  };
  return {
    id,
    clock,
    tap,
    sandbox,
    note,
    log: withFields(log, { plugin: id }),
    collection: (name, options, conversationId) =>
      host().collection(id, name, options ?? collections[name] ?? { indexes: [] }, conversationId),
    get settings() {
      return plugin.settings();
    },
    get services() {
      return host().services;
    },
  };
}
