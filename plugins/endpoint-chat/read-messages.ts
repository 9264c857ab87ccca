import { freeFormArguments } from "@pergola/kit-provider";
import {
  defined,
  isObject,
  stringOf,
  type ChatMessage,
  type ContentPart,
  type Json,
  type JsonObject,
  type ToolCall,
} from "@pergola/sdk";
import { fault } from "./fault.ts";

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value);

const fieldsOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

const roles: ReadonlyMap<string, ChatMessage["role"]> = new Map([
  ["system", "system"],
  ["developer", "system"],
  ["user", "user"],
  ["assistant", "assistant"],
  ["tool", "tool"],
]);
const extraKeys = new Set(["reasoning_blocks", "reasoning_signature", "cache_control"]);

function readPart(part: Json, at: string): ContentPart {
  const { type, text, image_url: image } = fieldsOf(part);
  if (type === "text" && typeof text === "string") return { type, text };
  const { url = image, detail } = fieldsOf(image);
  if (type === "image_url" && typeof url === "string" && /^(https:|data:)/i.test(url)) {
    return { type, image_url: { url, ...(typeof detail === "string" && { detail }) } };
  }
  throw fault(at, "must be a part of type text, or of type image_url with an https or data URL");
}

function readContent(content: Json | undefined, at: string): ChatMessage["content"] {
  if (typeof content === "string") return content;
  if (content === null || content === undefined) return null;
  if (!isArray(content)) throw fault(at, "must be a string, null or an array of parts");
  return content.map((part, index) => readPart(part, `${at}[${index}]`));
}

/** A call of a tool that takes free text. */
function readCustom({ name, input }: JsonObject, at: string): Omit<ToolCall, "id"> {
  if (typeof name !== "string" || name === "") throw fault(`${at}.name`, "must be a string");
  if (typeof input !== "string") throw fault(`${at}.input`, "must be a string");
  return { name, arguments: freeFormArguments(input), form: { freeForm: true } };
}

function readCall(call: Json, at: string): ToolCall {
  const { id, type, function: named, custom } = fieldsOf(call);
  if (typeof id !== "string" || id === "") throw fault(`${at}.id`, "must be a string");
  if (type === "custom") return { id, ...readCustom(fieldsOf(custom), `${at}.custom`) };
  const { name, arguments: args = "{}" } = fieldsOf(named);
  if (typeof name !== "string" || name === "") throw fault(`${at}.function.name`, "must be a string");
  if (typeof args === "string") return { id, name, arguments: args };
  if (isObject(args)) return { id, name, arguments: JSON.stringify(args) };
  throw fault(`${at}.function.arguments`, "must be a JSON text or an object");
}

/** A field that must be a string, if it is there; null counts as absent. */
function readText(value: Json | undefined, at: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  throw fault(at, "must be a string");
}

function readRole(role: unknown, at: string): ChatMessage["role"] {
  if (role === undefined) throw fault(at, "is missing", "missing_field");
  const known = roles.get(stringOf(role).toLowerCase());
  if (known === undefined) throw fault(at, "must be one of user, assistant, system, tool");
  return known;
}

function readMessage(message: JsonObject, at: string): ChatMessage {
  const role = readRole(message["role"], `${at}.role`);
  const toolCalls = readCalls(message["tool_calls"] ?? message["toolCalls"] ?? [], `${at}.tool_calls`);
  const content = readContent(message["content"], `${at}.content`);
  if (content === null && toolCalls.length === 0 && role !== "assistant")
    throw fault(`${at}.content`, "is missing", "missing_field");
  const toolCallId = readText(message["tool_call_id"] ?? message["toolCallId"], `${at}.tool_call_id`);
  if (role === "tool" && toolCallId === undefined)
    throw fault(`${at}.tool_call_id`, "is missing", "missing_field");
  return defined({
    role,
    content,
    toolCalls: toolCalls.length > 0 ? toolCalls : undefined,
    toolCallId: role === "tool" ? toolCallId : undefined,
    name: readText(message["name"], `${at}.name`),
    reasoning: readText(
      message["reasoning_content"] ?? message["reasoningContent"],
      `${at}.reasoning_content`,
    ),
    extra: extraOf(message),
  });
}

/** Fields that go to the provider as they came. */
function extraOf(message: JsonObject): JsonObject | undefined {
  const fields = Object.entries(message).filter(([key]) => extraKeys.has(key));
  if (fields.length === 0) return undefined;
  return Object.fromEntries(fields);
}

function readCalls(calls: Json, at: string): readonly ToolCall[] {
  if (!isArray(calls)) throw fault(at, "must be an array");
  return calls.map((call, index) => readCall(call, `${at}[${index}]`));
}

/** The request's messages in canonical form. Throws `missing_field` and `invalid_value` naming the field. */
export function readMessages(raw: readonly JsonObject[]): readonly ChatMessage[] {
  const messages = raw.map((message, index) => readMessage(message, `messages[${index}]`));
  const hasUser = messages.some(
    ({ role, content }) => role === "user" && content !== null && content.length > 0,
  );
  if (!hasUser && !messages.some(({ role }) => role === "tool")) {
    throw fault("messages", "must hold a user message with content, or answers to open tool calls");
  }
  return messages;
}
