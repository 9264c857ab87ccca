import { AppError, didYouMean, type Properties, type Services, type ToolEntry } from "@pergola/sdk";

/** A tool family as the routes show it. */
export const wireTool = ({ operations, inputSchema: _, ...family }: ToolEntry) => ({
  ...family,
  operation_count: operations.length,
  operations: operations.map(({ name, effect }) => ({ name, effect })),
});

export const toolProperties: Properties = {
  name: { type: "string" },
  description: { type: "string" },
  enabled: {
    type: "boolean",
    description: "For the conversation that was named, else for those that say nothing of their own",
  },
  enabledByDefault: { type: "boolean" },
  available: {
    type: "boolean",
    description: "false: a program or a service is missing; the family is then offered to no model",
  },
  unavailableReason: { type: ["string", "null"], description: "What is missing, and what to do" },
  operation_count: { type: "integer" },
  operations: {
    type: "array",
    items: {
      type: "object",
      properties: {
        name: { type: "string" },
        effect: { enum: ["none", "read", "write", "destructive", "execute"] },
      },
    },
  },
  source: { type: "string", description: "The plugin that brings it" },
};

export const conversationQuery = {
  conversationId: { type: "string", description: "The state in this conversation: a UUID or an alias" },
} as const;

/** All families as they stand in the conversation that is named. Rejects with `not_found` or `invalid_id`. */
export const toolsIn = (
  { tools, conversations }: Services,
  conversationId: string | undefined,
): Promise<readonly ToolEntry[]> =>
  tools.list(conversationId === undefined ? undefined : conversations.idOf(conversationId));

/** One of them. Throws AppError `not_found`. */
export function toolOf(tools: readonly ToolEntry[], name: string): ToolEntry {
  const found = tools.find((tool) => tool.name === name);
  if (found !== undefined) return found;
  const hint = didYouMean(name, new Set(tools.map((tool) => tool.name)));
  throw new AppError({ code: "not_found", message: `There is no tool family "${name}".${hint}` });
}
