import type { ChatMessage, ModelCall } from "./provider.ts";

/** Tokens of a text, at four characters each (docs/architecture.md, estimates). */
export const textTokens = (value: string): number => Math.ceil(value.length / 4);

const messageTokens = ({ content, toolCalls }: ChatMessage): number =>
  textTokens(JSON.stringify(content ?? "")) + (toolCalls === undefined ? 0 : textTokens(JSON.stringify(toolCalls)));

/** Tokens of what a model call sends. */
export const estimateTokens = (call: Pick<ModelCall, "messages" | "tools">): number =>
  call.messages.reduce((sum, message) => sum + messageTokens(message), 0) +
  call.tools.reduce((sum, tool) => sum + textTokens(JSON.stringify(tool.parameters)) + textTokens(tool.description), 0);
