import {
  defined,
  stringOf,
  type ChatMessage,
  type ContentPart,
  type JsonObject,
  type ModelCall,
  type OfferedTool,
  type Sampling,
  type Thinking,
  type ToolCall,
} from "@pergola/sdk";
import { fieldsOf, objectsOf, nonEmpty, type Fields } from "./json-values.ts";
import { samplingNames, type Warn } from "./sampling.ts";

export type ChatBody = Pick<ModelCall, "messages" | "tools" | "sampling" | "thinking">;

export interface ChatBodyOptions {
  /** Stands in warnings: `… was left out: Anthropic does not take it`. */
  readonly vendor: string;
  readonly warn: Warn;
  /** Fields of a message that are handed on in `extra`. */
  readonly messageKeys?: readonly string[];
}

const wireNames: Readonly<Record<string, keyof Sampling>> = {
  ...Object.fromEntries(Object.entries(samplingNames).map(([name, wire]) => [wire, name as keyof Sampling])),
  max_completion_tokens: "maxTokens",
};

/** Fields that are read, or that mean nothing outside a chat-completions API. */
const knownFields = ["model", "messages", "tools", "stream", "stream_options", "reasoning_effort"];

const efforts: Readonly<Record<string, Thinking>> = {
  none: { mode: "disabled" },
  minimal: { mode: "disabled" },
  low: { mode: "enabled", effort: "low" },
  medium: { mode: "enabled", effort: "medium" },
  high: { mode: "enabled", effort: "high" },
};

/** Warns of each field of the body that is neither read nor named in `handled`. */
export function warnOfUnknownFields(
  body: JsonObject,
  handled: readonly string[],
  { vendor, warn }: Pick<ChatBodyOptions, "vendor" | "warn">,
): void {
  const known = new Set([...knownFields, ...Object.keys(wireNames), ...handled]);
  for (const [name, value] of Object.entries(body)) {
    if (value !== null && !known.has(name)) warn(`${name} was left out: ${vendor} does not take it`);
  }
}

/**
 * The body of a chat-completions request as the fields of a `ModelCall`: for providers of another format that
 * get one past the service (`ModelCall.raw`). Parts that are neither text nor image are left out, with a
 * warning.
 */
export function readChatBody(body: JsonObject, options: ChatBodyOptions): ChatBody {
  const messages = objectsOf(body["messages"]).map((message) => readMessage(message, options));
  const sampling = Object.entries(wireNames)
    .map(([wire, name]) => [name, body[wire] ?? undefined])
    .filter(([, value]) => value !== undefined);
  return defined({
    messages,
    tools: objectsOf(body["tools"]).flatMap(readTool),
    sampling: Object.fromEntries(sampling) as Sampling,
    thinking: efforts[stringOf(body["reasoning_effort"])],
  });
}

function readMessage(message: Fields, options: ChatBodyOptions): ChatMessage {
  const { role, content, tool_calls: calls, tool_call_id: toolCallId, name } = message;
  const { messageKeys = [] } = options;
  const extra = Object.entries(message).filter(([key]) => messageKeys.includes(key));
  return defined({
    role: (role === "developer" ? "system" : role) as ChatMessage["role"],
    content: readContent(content, options),
    toolCalls: nonEmpty(objectsOf(calls).flatMap(readCall)),
    toolCallId: stringOf(toolCallId) || undefined,
    name: stringOf(name) || undefined,
    reasoning: stringOf(message["reasoning_content"]) || undefined,
    extra: nonEmpty(Object.fromEntries(extra) as JsonObject),
  });
}

function readContent(content: unknown, options: ChatBodyOptions): ChatMessage["content"] {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return null;
  return objectsOf(content).flatMap((part) => readPart(part, options));
}

function readPart(part: Fields, { vendor, warn }: ChatBodyOptions): readonly ContentPart[] {
  const { type, text, image_url: image } = part;
  if (type === "text") return [{ type, text: stringOf(text) }];
  const url = fieldsOf(image)["url"] ?? image;
  if (type === "image_url" && typeof url === "string") return [{ type, image_url: { url } }];
  warn(`a part of type ${stringOf(type)} was left out: ${vendor} does not take it`);
  return [];
}

function readCall({ id, function: called }: Fields): readonly ToolCall[] {
  const { name, arguments: args = {} } = fieldsOf(called);
  if (typeof name !== "string") return [];
  return [{ id: stringOf(id), name, arguments: stringOf(args) || JSON.stringify(args) }];
}

function readTool({ function: described }: Fields): readonly OfferedTool[] {
  const { name, description, parameters = { type: "object" } } = fieldsOf(described);
  if (typeof name !== "string") return [];
  return [{ name, description: stringOf(description), parameters: fieldsOf(parameters) }];
}
