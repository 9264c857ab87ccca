import { AppError, didYouMean, type PluginStatus, type Properties } from "@pergola/sdk";

const isolations = { trusted: "trusted", isolated: "process" } as const;

/** The schema of its preferences, as one object; null for a plugin without any. */
function settingsOf({ settings }: PluginStatus): object | null {
  return Object.keys(settings).length === 0 ? null : { type: "object", properties: settings };
}

/** A plugin as the routes show it. */
export const wirePlugin = (plugin: PluginStatus) => ({
  id: plugin.id,
  kind: plugin.kind,
  version: plugin.version,
  description: plugin.description,
  official: plugin.official,
  isolation: isolations[plugin.tier],
  sandbox: plugin.sandbox,
  state: plugin.state === "left out" ? "left_out" : plugin.state,
  fault: plugin.problem?.message ?? null,
  remedy: plugin.problem?.remedy ?? null,
  provides: plugin.provides,
  permissions: plugin.permissions,
  settings: settingsOf(plugin),
  hooks: plugin.hooks.map(({ lastError = null, ...hook }) => ({ ...hook, lastError })),
  digest: plugin.digest,
  strikes: plugin.strikes.map(({ time, call, kind, stderr }) => ({ time, call, kind, stderr })),
  canDisable: plugin.canDisable,
  canRetry: plugin.canRetry,
  restartRequired: plugin.restartRequired,
});

const text = { type: "string" } as const;
const textOrNull = { type: ["string", "null"] } as const;

export const pluginProperties: Properties = {
  id: text,
  kind: text,
  version: { ...text, description: "Of what runs; after a roll-back another one than at the start" },
  description: text,
  official: { type: "boolean", description: "It comes with Pergola" },
  isolation: { enum: ["trusted", "process"], description: "In the host's process, or in one of its own" },
  sandbox: { ...textOrNull, description: "What walls it in; null with isolation process: nothing does" },
  state: { enum: ["running", "left_out", "disabled"] },
  fault: { ...textOrNull, description: "Why it is left out" },
  remedy: { ...textOrNull, description: "What to do about it" },
  provides: { type: "object" },
  permissions: { type: "object", description: "What it may reach" },
  settings: { type: ["object", "null"], description: "The JSON Schema of its preferences" },
  hooks: {
    type: "array",
    items: {
      type: "object",
      properties: {
        name: text,
        calls: { type: "integer" },
        milliseconds: { type: "number" },
        failures: { type: "integer" },
        lastError: textOrNull,
      },
    },
  },
  digest: { ...textOrNull, description: "Of its files, as they were approved" },
  strikes: {
    type: "array",
    description: "What its process did wrong, the newest last; at most 20",
    items: {
      type: "object",
      properties: {
        time: text,
        call: { ...textOrNull, description: "`family.operation`, or what the host wanted of it" },
        kind: { enum: ["crash", "deadline", "frame", "answer", "limit"] },
        stderr: {
          ...text,
          description: "What it wrote last, at most 2 kB; control characters are made visible",
        },
      },
    },
  },
  canDisable: { type: "boolean", description: "false: the host needs it" },
  canRetry: {
    type: "boolean",
    description: "It failed too often; switching it on tries it again at once, without a restart",
  },
  restartRequired: {
    type: "boolean",
    description: "It was switched on or off, and is so from the next start",
  },
};

/** One of them. Throws AppError `not_found`. */
export function pluginOf(plugins: readonly PluginStatus[], id: string): PluginStatus {
  const found = plugins.find((plugin) => plugin.id === id);
  if (found !== undefined) return found;
  const hint = didYouMean(id, new Set(plugins.map((plugin) => plugin.id)));
  throw new AppError({ code: "not_found", message: `There is no plugin "${id}".${hint}` });
}
