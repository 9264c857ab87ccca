import type { Plugin, PluginHost } from "../contract/plugin.ts";
import type { PartFactories } from "./parts.ts";
import type { Sandbox } from "./sandbox.ts";
import type { Awaitable } from "../util/json.ts";

/** A plugin that brings parts of the host itself, or starts programs by itself. */
export interface HostPlugin extends Omit<Plugin, "parts" | "register"> {
  readonly parts?: PartFactories;
  register?(host: PluginHost & { readonly sandbox: () => Promise<Sandbox> }): Awaitable<void>;
}

/** Checks the types of a plugin that brings parts of the host; gives it back as it is. */
export function defineHostPlugin(plugin: HostPlugin): HostPlugin {
  return plugin;
}
