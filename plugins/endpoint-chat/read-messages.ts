import {
  defined,
  stringOf,
  type ChatMessage,
  type ContentPart,
  type Json,
  type JsonObject,
  type ToolCall,
} from "@pergola/sdk";
import { fault } from "./fault.ts";

type Raw = Readonly<Record<string, unknown>>;

const roles: ReadonlyMap<string, ChatMessage["role"]> = new Map([
  ["system", "system"],
  ["developer", "system"],
  ["user", "user"],
  ["assistant", "assistant"],
  ["tool", "tool"],
]);
const passedOn = ["reasoning_blocks", "reasoning_signature", "cache_control"] as const;

function readPart(part: unknown, at: string): ContentPart {
  const { type, text, image_url: image } = (part ?? {}) as Raw;
  if (type === "text" && typeof text === "string") return { type, text };
  const { url, detail } = (typeof image === "string" ? { url: image } : (image ?? {})) as Raw;
  if (type === "image_url" && typeof url === "string" && /^(https:|data:)/i.test(url)) {
    return { type, image_url: { url, ...(typeof detail === "string" && { detail }) } };
  }
  throw fault(at, "must be a part of type text, or of type image_url with an https or data URL");
}

function readContent(content: unknown, at: string): ChatMessage["content"] {
  if (typeof content === "string") return content;
  if (content === null || content === undefined) return null;
  if (!Array.isArray(content)) throw fault(at, "must be a string, null or an array of parts");
  return content.map((part, index) => readPart(part, `${at}[${index}]`));
}

function readCall(call: unknown, at: string): ToolCall {
  const { id, function: named } = (call ?? {}) as Raw;
  const { name, arguments: args = "{}" } = (named ?? {}) as Raw;
  if (typeof id !== "string" || id === "") throw fault(`${at}.id`, "must be a string");
  if (typeof name !== "string" || name === "") throw fault(`${at}.function.name`, "must be a string");
  if (typeof args === "string") return { id, name, arguments: args };
  if (typeof args === "object" && args !== null && !Array.isArray(args))
    return { id, name, arguments: JSON.stringify(args) };
  throw fault(`${at}.function.arguments`, "must be a JSON text or an object");
}

/** A field that is a string where it stands; null stands for nothing. */
function readText(value: unknown, at: string): string | undefined {
  if (value === undefined || value === null || typeof value === "string") return value ?? undefined;
  throw fault(at, "must be a string");
}

function readRole(role: unknown, at: string): ChatMessage["role"] {
  if (role === undefined) throw fault(at, "is missing", "missing_field");
  const known = roles.get(stringOf(role).toLowerCase());
  if (known === undefined) throw fault(at, "must be one of user, assistant, system, tool");
  return known;
}

function readMessage(raw: Raw, at: string): ChatMessage {
  const role = readRole(raw["role"], `${at}.role`);
  const toolCalls = readCalls(raw["tool_calls"] ?? raw["toolCalls"] ?? [], `${at}.tool_calls`);
  const content = readContent(raw["content"], `${at}.content`);
  if (content === null && toolCalls.length === 0 && role !== "assistant")
    throw fault(`${at}.content`, "is missing", "missing_field");
  const toolCallId = readText(raw["tool_call_id"] ?? raw["toolCallId"], `${at}.tool_call_id`);
  if (role === "tool" && toolCallId === undefined)
    throw fault(`${at}.tool_call_id`, "is missing", "missing_field");
  return defined({
    role,
    content,
    toolCalls: toolCalls.length > 0 ? toolCalls : undefined,
    toolCallId: role === "tool" ? toolCallId : undefined,
    name: readText(raw["name"], `${at}.name`),
    reasoning: readText(raw["reasoning_content"] ?? raw["reasoningContent"], `${at}.reasoning_content`),
    extra: extraOf(raw),
  });
}

/** Fields that go to the provider as they came. */
function extraOf(raw: Raw): JsonObject | undefined {
  const fields = passedOn.filter((key) => raw[key] !== undefined);
  if (fields.length === 0) return undefined;
  return Object.fromEntries(fields.map((key) => [key, raw[key] as Json]));
}

function readCalls(calls: unknown, at: string): readonly ToolCall[] {
  if (!Array.isArray(calls)) throw fault(at, "must be an array");
  return calls.map((call, index) => readCall(call, `${at}[${index}]`));
}

/** The request's messages in canonical form. Throws `missing_field` and `invalid_value` naming the field. */
export function readMessages(raw: readonly Raw[]): readonly ChatMessage[] {
  const messages = raw.map((message, index) => readMessage(message, `messages[${index}]`));
  const hasUser = messages.some(
    ({ role, content }) => role === "user" && content !== null && content.length > 0,
  );
  if (!hasUser && !messages.some(({ role }) => role === "tool")) {
    throw fault("messages", "must hold a user message with content, or answers to open tool calls");
  }
  return messages;
}
