import { defineRoute, type PluginStatus } from "@pergola/sdk";
import { checkCaller } from "../check-caller.ts";

const integer = { type: "integer" } as const;
const text = { type: "string" } as const;

/** Why a plugin was left out, or what last went wrong in a hook of one that runs. */
const wirePlugin = ({ id, state, fault, hooks }: PluginStatus) => ({
  id,
  state,
  fault: fault ?? hooks.find(({ lastError }) => lastError !== undefined)?.lastError ?? null,
});

export const listAvailable = defineRoute({
  method: "GET",
  path: "/debug/tools/available",
  scope: "read",
  summary: "Count the tools and their operations",
  response: {
    type: "object",
    properties: {
      total_tools: integer,
      enabled_tools: integer,
      disabled_tools: integer,
      tools: {
        type: "array",
        items: {
          type: "object",
          properties: {
            name: text,
            enabled: { type: "boolean" },
            operation_count: integer,
          },
        },
      },
      plugins: {
        type: "array",
        description: "Every plugin, and what is wrong with it",
        items: {
          type: "object",
          properties: {
            id: text,
            state: { enum: ["running", "left out", "disabled"] },
            fault: { type: ["string", "null"] },
          },
        },
      },
      toolsDescription: text,
      mcpToolsCount: integer,
      mcpToolNames: { type: "array", items: text },
    },
  },
  failures: [],
  async handle({ caller }, services) {
    checkCaller(caller, services);
    const tools = await services.tools.list();
    const enabled = tools.filter((tool) => tool.enabled).length;
    return {
      body: {
        total_tools: tools.length,
        enabled_tools: enabled,
        disabled_tools: tools.length - enabled,
        tools: tools.map((tool) => ({
          name: tool.name,
          enabled: tool.enabled,
          operation_count: tool.operations.length,
        })),
        plugins: services.system.plugins().map(wirePlugin),
        toolsDescription: tools.map(({ name, description }) => `${name}: ${description}`).join("\n"),
        mcpToolsCount: tools.length,
        mcpToolNames: tools.map(({ name }) => name),
      },
    };
  },
});
