import { AppError, didYouMean, type Route } from "@pergola/sdk";
import { conversationQuery, toolProperties, toolsIn, wireTool } from "../wire-tool.ts";

export const getTool: Route = {
  method: "GET",
  path: "/api/tools/{name}",
  summary: "Show a tool family with the schema of its arguments",
  params: { name: { type: "string" } },
  query: conversationQuery,
  response: { type: "object", properties: { ...toolProperties, inputSchema: { type: "object" } } },
  async handle({ params, query }, services) {
    const { name = "" } = params;
    const tools = await toolsIn(services, query);
    const found = tools.find((tool) => tool.name === name);
    if (found !== undefined) return { body: { ...wireTool(found), inputSchema: found.inputSchema } };
    const hint = didYouMean(name, new Set(tools.map((tool) => tool.name)));
    throw new AppError({ code: "not_found", message: `There is no tool family "${name}".${hint}` });
  },
};
