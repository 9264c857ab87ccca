import type { Route } from "@pergola/sdk";
import { conversationQuery, toolOf, toolProperties, toolsIn, wireTool } from "../wire-tool.ts";

export const switchTool: Route = {
  method: "PATCH",
  path: "/api/tools/{name}",
  summary: "Switch a tool family on or off",
  params: { name: { type: "string" } },
  body: {
    type: "object",
    required: ["enabled"],
    properties: {
      enabled: { type: "boolean" },
      conversationId: {
        ...conversationQuery["conversationId"],
        description: "Only in this conversation: a UUID or an alias",
      },
    },
  },
  response: {
    type: "object",
    properties: { success: { const: true }, tool: { type: "object", properties: toolProperties } },
  },
  async handle({ params: { name = "" }, body, caller }, services) {
    const { enabled, ...where } = body as { readonly enabled: boolean; readonly conversationId?: string };
    toolOf(await toolsIn(services, where), name);
    const conversationId = where.conversationId && services.conversations.idOf(where.conversationId);
    await services.tools.enable(name, enabled, { conversationId, caller });
    return { body: { success: true, tool: wireTool(toolOf(await toolsIn(services, where), name)) } };
  },
};
