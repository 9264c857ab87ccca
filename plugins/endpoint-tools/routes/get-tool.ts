import type { Route } from "@pergola/sdk";
import { conversationQuery, toolOf, toolProperties, toolsIn, wireTool } from "../wire-tool.ts";

export const getTool: Route = {
  method: "GET",
  path: "/api/tools/{name}",
  summary: "Show a tool family with the schema of its arguments",
  params: { name: { type: "string" } },
  query: conversationQuery,
  response: { type: "object", properties: { ...toolProperties, inputSchema: { type: "object" } } },
  async handle({ params, query }, services) {
    const found = toolOf(await toolsIn(services, query), params["name"]);
    return { body: { ...wireTool(found), inputSchema: found.inputSchema } };
  },
};
