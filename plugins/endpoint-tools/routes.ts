import { defineEndpoints, defineRoute } from "@pergola/sdk";
import { listHeldFiles, removeHeldFile, restoreHeldFile } from "./held-routes.ts";
import { conversationQuery, toolOf, toolProperties, toolsIn, wireTool } from "./wire-tool.ts";

const integer = { type: "integer" } as const;

export const listTools = defineRoute({
  method: "GET",
  path: "/api/tools",
  scope: "read",
  summary: "List the tool families",
  query: conversationQuery,
  response: {
    type: "object",
    properties: {
      tools: { type: "array", items: { title: "ToolFamily", type: "object", properties: toolProperties } },
      total_tools: integer,
      enabled_tools: integer,
      disabled_tools: integer,
      total_operations: integer,
    },
  },
  failures: [],
  async handle({ query }, services) {
    const tools = (await toolsIn(services, query.conversationId)).map(wireTool);
    const enabled = tools.filter((tool) => tool.enabled).length;
    return {
      body: {
        tools,
        total_tools: tools.length,
        enabled_tools: enabled,
        disabled_tools: tools.length - enabled,
        total_operations: tools.reduce((sum, tool) => sum + tool.operation_count, 0),
      },
    };
  },
});

export const getTool = defineRoute({
  method: "GET",
  path: "/api/tools/{name}",
  scope: "read",
  summary: "Show a tool family with the schema of its arguments",
  params: { name: { type: "string", description: "A tool family" } },
  query: conversationQuery,
  response: { type: "object", properties: { ...toolProperties, inputSchema: { type: "object" } } },
  failures: [],
  async handle({ params, query }, services) {
    const found = toolOf(await toolsIn(services, query.conversationId), params.name);
    return { body: { ...wireTool(found), inputSchema: found.inputSchema } };
  },
});

export const switchTool = defineRoute({
  method: "PATCH",
  path: "/api/tools/{name}",
  scope: "tools",
  summary: "Switch a tool family on or off",
  params: { name: { type: "string", description: "A tool family" } },
  body: {
    type: "object",
    required: ["enabled"],
    examples: [{ enabled: false }],
    properties: {
      enabled: { type: "boolean" },
      conversationId: {
        ...conversationQuery.conversationId,
        description: "Only in this conversation: a UUID or an alias",
      },
    },
  },
  response: {
    type: "object",
    properties: {
      success: { const: true },
      tool: { title: "ToolFamily", type: "object", properties: toolProperties },
    },
  },
  failures: ["set_elsewhere", "conversation_busy"],
  async handle({ params: { name }, body, caller, requireScope }, services) {
    if (body.conversationId === undefined) requireScope("admin");
    toolOf(await toolsIn(services, body.conversationId), name);
    const conversationId = body.conversationId && services.conversations.idOf(body.conversationId);
    await services.tools.enable(name, body.enabled, { conversationId, caller });
    const tool = toolOf(await toolsIn(services, conversationId), name);
    return { body: { success: true, tool: wireTool(tool) } };
  },
});

export const tools = defineEndpoints({
  group: "tools",
  routes: [listTools, getTool, switchTool, listHeldFiles, restoreHeldFile, removeHeldFile],
});
