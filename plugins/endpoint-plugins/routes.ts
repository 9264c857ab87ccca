import { defineEndpoints, defineRoute } from "@pergola/sdk";
import { pluginOf, pluginProperties, wirePlugin } from "./wire-plugin.ts";

const plugin = { title: "Plugin", type: "object", properties: pluginProperties } as const;
/** A package's name may have a scope, and so a slash. */
const params = {
  id: { type: "string", pattern: "^(@[a-z0-9-]+/)?[a-z0-9][a-z0-9.-]*$", description: "Id of a plugin" },
} as const;

export const listPlugins = defineRoute({
  method: "GET",
  path: "/api/plugins",
  scope: "read",
  summary: "List the plugins with their state, permissions and faults",
  response: {
    type: "object",
    properties: { plugins: { type: "array", items: plugin }, count: { type: "integer" } },
  },
  failures: [],
  handle(_, { system }) {
    const plugins = system.plugins().map(wirePlugin);
    return { body: { plugins, count: plugins.length } };
  },
});

export const getPlugin = defineRoute({
  method: "GET",
  path: "/api/plugins/{id…}",
  scope: "read",
  summary: "Show a plugin",
  params,
  response: plugin,
  failures: [],
  handle: ({ params: { id } }, { system }) => ({ body: wirePlugin(pluginOf(system.plugins(), id)) }),
});

export const switchPlugin = defineRoute({
  method: "PATCH",
  path: "/api/plugins/{id…}",
  scope: "owner",
  summary: "Switch a plugin on or off, from the next start",
  description:
    "Switching on also closes the breaker of a plugin that failed too often: one with `canRetry` is tried " +
    "again at once, and the answer tells how that went; any other one with the next start. " +
    "Nothing is installed over HTTP; `pergola plugins add` does that.",
  params,
  body: {
    type: "object",
    required: ["enabled"],
    examples: [{ enabled: false }],
    properties: { enabled: { type: "boolean" } },
  },
  response: {
    type: "object",
    properties: {
      success: { const: true },
      plugin,
      restartRequired: { type: "boolean", description: "false: it was tried again at once" },
    },
  },
  failures: ["in_use", "set_elsewhere", "storage_unavailable"],
  async handle({ params: { id }, body: { enabled }, caller }, { system }) {
    const isRetry = enabled && system.plugins().some((plugin) => plugin.id === id && plugin.canRetry);
    await system.enablePlugin(id, enabled, caller);
    const found = wirePlugin(pluginOf(system.plugins(), id));
    return { body: { success: true, plugin: found, restartRequired: !isRetry } };
  },
});

export const plugins = defineEndpoints({ group: "plugins", routes: [listPlugins, getPlugin, switchPlugin] });
