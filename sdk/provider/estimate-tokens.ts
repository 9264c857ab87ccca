import type { ChatMessage, ContentPart, ModelCall } from "../contract/provider.ts";
import type { OfferedTool } from "../contract/tool.ts";

/** Tokens of a text, at four characters each (docs/architecture.md, estimates). */
export const textTokens = (value: string): number => Math.ceil(value.length / 4);

const known = new WeakMap<object, number>();

/** Messages and tools are sent again with every call; each is counted once. */
function countOnce<T extends object>(item: T, count: (item: T) => number): number {
  const counted = known.get(item);
  if (counted !== undefined) return counted;
  const tokens = count(item);
  known.set(item, tokens);
  return tokens;
}

/** About what the vendors count for a small image; its data tell nothing. */
const imageTokens = 256;

/** Characters from which on a text is not copied for the few that JSON adds. */
const long = 65_536;

function jsonTokens(value: unknown): number {
  if (typeof value === "string" && value.length >= long) return textTokens(value);
  return textTokens(JSON.stringify(value) ?? "");
}

function partTokens(part: ContentPart): number {
  if (part.type === "text") return jsonTokens(part);
  return imageTokens;
}

function contentTokens(content: ChatMessage["content"]): number {
  if (content === null || typeof content === "string") return jsonTokens(content ?? "");
  return content.reduce((sum, part) => sum + partTokens(part), 0);
}

const messageTokens = ({ content, toolCalls }: ChatMessage): number =>
  contentTokens(content) + jsonTokens(toolCalls);
const toolTokens = ({ parameters, description }: OfferedTool): number =>
  jsonTokens(parameters) + textTokens(description);

/** Tokens of what a model call sends. */
export const estimateTokens = ({ messages, tools }: Pick<ModelCall, "messages" | "tools">): number =>
  messages.reduce((sum, message) => sum + countOnce(message, messageTokens), 0) +
  tools.reduce((sum, tool) => sum + countOnce(tool, toolTokens), 0);
