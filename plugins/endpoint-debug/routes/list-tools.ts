import { defineRoute, type OfferedTool, type Services, type ToolEntry } from "@pergola/sdk";
import { checkCaller } from "../check-caller.ts";

const wireTool = ({
  name,
  description,
  inputSchema,
}: Pick<ToolEntry, "name" | "description" | "inputSchema">) => ({
  name,
  description,
  inputSchema,
  parameterCount: Object.keys(inputSchema.properties ?? {}).length,
});

const offeredTool = ({ parameters, ...tool }: OfferedTool) => wireTool({ ...tool, inputSchema: parameters });

/** The tools with all they can do, or as a model is offered them. */
async function listed(services: Services, model: string | undefined, signal: AbortSignal) {
  if (model === undefined) return (await services.tools.list()).map(wireTool);
  const { contextWindow } = await services.models.resolve(model, signal);
  return (await services.tools.listOffers(contextWindow)).map(offeredTool);
}

export const listTools = defineRoute({
  method: "GET",
  path: "/debug/mcp/tools",
  scope: "read",
  summary: "List the tools with their schemas",
  query: { model: { type: "string", description: "Shows what this model is offered" } },
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
  async handle({ caller, query, signal }, services) {
    checkCaller(caller, services);
    const tools = await listed(services, query.model, signal);
    return { body: { tools, count: tools.length, initialized: true } };
  },
});
