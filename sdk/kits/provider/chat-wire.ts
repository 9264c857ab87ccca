import type { JsonObject, OfferedTool, ToolCall } from "@pergola/sdk";

/** A tool as the chat-completions format describes it. */
export const wireTool = ({ name, description, parameters }: OfferedTool): JsonObject => ({
  type: "function",
  function: { name, description, parameters: parameters as JsonObject },
});

/** A call of an earlier answer as the chat-completions format repeats it. */
export const wireToolCall = ({ id, name, arguments: args }: ToolCall): JsonObject => ({
  id,
  type: "function",
  function: { name, arguments: args },
});
