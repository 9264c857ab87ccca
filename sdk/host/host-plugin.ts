import type { Plugin } from "../contract/plugin.ts";
import type { PartFactories } from "./parts.ts";

/** A plugin that brings parts of the host itself. */
export interface HostPlugin extends Omit<Plugin, "parts"> {
  readonly parts?: PartFactories;
}

/** Checks the types of a plugin that brings parts of the host; gives it back as it is. */
export function defineHostPlugin(plugin: HostPlugin): HostPlugin {
  return plugin;
}
