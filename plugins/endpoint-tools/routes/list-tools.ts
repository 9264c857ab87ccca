import type { Route } from "@pergola/sdk";
import { conversationQuery, toolProperties, toolsIn, wireTool } from "../wire-tool.ts";

export const listTools: Route = {
  method: "GET",
  path: "/api/tools",
  summary: "List the tool families",
  query: conversationQuery,
  response: {
    type: "object",
    properties: {
      tools: { type: "array", items: { type: "object", properties: toolProperties } },
      total_tools: { type: "integer" },
      enabled_tools: { type: "integer" },
      disabled_tools: { type: "integer" },
      total_operations: { type: "integer" },
    },
  },
  async handle({ query }, services) {
    const tools = (await toolsIn(services, query)).map(wireTool);
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
};
