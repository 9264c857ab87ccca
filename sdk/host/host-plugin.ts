import type { Plugin, PluginHost } from "../contract/plugin.ts";
import type { AuditFact } from "./access-keeper.ts";
import type { PartFactories } from "./parts.ts";
import type { Sandbox } from "./sandbox.ts";
import type { Awaitable } from "../util/json.ts";

/** The host, as such a plugin sees it. */
export interface ProgramHost extends PluginHost {
  readonly sandbox: () => Promise<Sandbox>;
  /** Writes a fact of what happens anyway into the audit. Never throws. */
  readonly note: (fact: AuditFact) => void;
}

/** A plugin that brings parts of the host itself, or starts programs by itself. */
export interface HostPlugin extends Omit<Plugin, "parts" | "register"> {
  readonly parts?: PartFactories;
  register?(host: ProgramHost): Awaitable<void>;
}

/** Checks the types of a plugin that brings parts of the host; gives it back as it is. */
export function defineHostPlugin(plugin: HostPlugin): HostPlugin {
  return plugin;
}
