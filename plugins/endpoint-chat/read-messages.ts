import { AppError, type ChatMessage, type ContentPart, type Json, type JsonObject, type ToolCall } from "@pergola/sdk";

type Raw = Readonly<Record<string, unknown>>;

const roles: Readonly<Record<string, ChatMessage["role"]>> = { system: "system", developer: "system", user: "user", assistant: "assistant", tool: "tool" };
const handedOn = ["reasoning_blocks", "reasoning_signature", "cache_control"] as const;

const fault = (param: string, message: string, code = "invalid_value"): AppError => new AppError({ code, message: `${param} ${message}.`, param });

function readPart(part: unknown, at: string): ContentPart {
  const { type, text, image_url: image } = (part ?? {}) as Raw;
  if (type === "text" && typeof text === "string") return { type, text };
  const { url, detail } = (typeof image === "string" ? { url: image } : (image ?? {})) as Raw;
  if (type === "image_url" && typeof url === "string" && /^(https:|data:)/i.test(url)) {
    return { type, image_url: { url, ...(typeof detail === "string" ? { detail } : {}) } };
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
  return { id, name, arguments: typeof args === "string" ? args : JSON.stringify(args) };
}

function readMessage(raw: Raw, at: string): ChatMessage {
  const role = typeof raw["role"] === "string" ? roles[raw["role"].toLowerCase()] : undefined;
  if (raw["role"] === undefined) throw fault(`${at}.role`, "is missing", "missing_field");
  if (role === undefined) throw fault(`${at}.role`, "must be one of user, assistant, system, tool");
  const calls = raw["tool_calls"] ?? raw["toolCalls"];
  if (calls !== undefined && calls !== null && !Array.isArray(calls)) throw fault(`${at}.tool_calls`, "must be an array");
  const toolCalls = ((calls ?? []) as readonly unknown[]).map((call, index) => readCall(call, `${at}.tool_calls[${index}]`));
  const content = readContent(raw["content"], `${at}.content`);
  if (content === null && toolCalls.length === 0 && role !== "assistant") throw fault(`${at}.content`, "is missing", "missing_field");
  const toolCallId = raw["tool_call_id"] ?? raw["toolCallId"];
  if (role === "tool" && typeof toolCallId !== "string") throw fault(`${at}.tool_call_id`, "is missing", "missing_field");
  const name = raw["name"];
  const reasoning = raw["reasoning_content"] ?? raw["reasoningContent"];
  const extra = Object.fromEntries(handedOn.filter((key) => raw[key] !== undefined).map((key) => [key, raw[key] as Json])) as JsonObject;
  return {
    role,
    content,
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(role === "tool" ? { toolCallId: toolCallId as string } : {}),
    ...(typeof name === "string" ? { name } : {}),
    ...(typeof reasoning === "string" ? { reasoning } : {}),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

/** The request's messages in canonical form. Throws `missing_field` and `invalid_value` naming the field. */
export function readMessages(raw: readonly Raw[]): readonly ChatMessage[] {
  const messages = raw.map((message, index) => readMessage(message, `messages[${index}]`));
  const hasUser = messages.some(({ role, content }) => role === "user" && content !== null && content.length > 0);
  if (!hasUser && !messages.some(({ role }) => role === "tool")) {
    throw fault("messages", "must hold a user message with content, or answers to open tool calls");
  }
  return messages;
}
