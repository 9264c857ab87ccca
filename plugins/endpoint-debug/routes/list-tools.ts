import { defineRoute, type ToolEntry } from "@pergola/sdk";
import { checkCaller } from "../check-caller.ts";

const wireTool = ({ name, description, inputSchema }: ToolEntry) => ({
  name,
  description,
  inputSchema,
  parameterCount: Object.keys(inputSchema.properties ?? {}).length,
});

export const listTools = defineRoute({
  method: "GET",
  path: "/debug/mcp/tools",
  summary: "List the tools with their schemas",
  response: {
    type: "object",
    properties: {
      tools: {
        type: "array",
        items: {
          type: "object",
          properties: {
            name: { type: "string" },
            description: { type: "string" },
            inputSchema: { type: "object" },
            parameterCount: { type: "integer" },
          },
        },
      },
      count: { type: "integer" },
      initialized: { const: true },
    },
  },
  failures: [],
  async handle({ caller }, services) {
    checkCaller(caller, services);
    const tools = await services.tools.list();
    return { body: { tools: tools.map(wireTool), count: tools.length, initialized: true } };
  },
});
