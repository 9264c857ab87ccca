import { fieldFault, fieldsOf, freeFormArguments, type Fields, type Warn } from "@pergola/kit-provider";
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

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value);

const roles: ReadonlyMap<string, ChatMessage["role"]> = new Map([
  ["system", "system"],
  ["developer", "system"],
  ["user", "user"],
  ["assistant", "assistant"],
  ["tool", "tool"],
]);
const extraKeys = new Set(["reasoning_blocks", "reasoning_signature", "cache_control"]);

/** Parts that no model here can be shown; a line of text says that they were there. */
const unreadable: ReadonlyMap<unknown, string> = new Map([
  ["input_audio", "audio"],
  ["audio", "audio"],
  ["file", "a file"],
]);

function readPart(part: Json, at: string, warn: Warn): ContentPart {
  const { type, text, refusal, image_url: image } = fieldsOf(part);
  if (type === "text" && typeof text === "string") return { type, text };
  if (type === "refusal" && typeof refusal === "string") return { type: "text", text: refusal };
  const lost = unreadable.get(type);
  if (lost !== undefined) {
    warn(`${at} was left out: ${lost} cannot be read here`);
    return { type: "text", text: `(Here was ${lost} that cannot be read.)` };
  }
  const { url = image, detail } = fieldsOf(image);
  if (type === "image_url" && typeof url === "string" && /^(https:|data:)/i.test(url)) {
    return { type, image_url: { url, ...(typeof detail === "string" && { detail }) } };
  }
  throw fieldFault(at, "must be a part of type text, or of type image_url with an https or data URL");
}

function readContent(content: Json | undefined, at: string, warn: Warn): ChatMessage["content"] {
  if (typeof content === "string") return content;
  if (content === null || content === undefined) return null;
  if (!isArray(content)) throw fieldFault(at, "must be a string, null or an array of parts");
  return content.map((part, index) => readPart(part, `${at}[${index}]`, warn));
}

/** A call of a tool that takes free text. */
function readCustom({ name, input }: Fields, at: string): Omit<ToolCall, "id"> {
  if (typeof name !== "string" || name === "") throw fieldFault(`${at}.name`, "must be a string");
  if (typeof input !== "string") throw fieldFault(`${at}.input`, "must be a string");
  return { name, arguments: freeFormArguments(input), form: { freeForm: true } };
}

function readCall(call: Json, at: string): ToolCall {
  const { id, type, function: named, custom } = fieldsOf(call);
  if (typeof id !== "string" || id === "") throw fieldFault(`${at}.id`, "must be a string");
  if (type === "custom") return { id, ...readCustom(fieldsOf(custom), `${at}.custom`) };
  const { name, arguments: args = "{}" } = fieldsOf(named);
  if (typeof name !== "string" || name === "") throw fieldFault(`${at}.function.name`, "must be a string");
  if (typeof args === "string") return { id, name, arguments: args };
  if (isObject(args)) return { id, name, arguments: JSON.stringify(args) };
  throw fieldFault(`${at}.function.arguments`, "must be a JSON text or an object");
}

/** A field that must be a string, if it is there; null counts as absent. */
function readText(value: Json | undefined, at: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  throw fieldFault(at, "must be a string");
}

function readRole(role: unknown, at: string): ChatMessage["role"] {
  if (role === undefined) throw fieldFault(at, "is missing", "missing_field");
  const known = roles.get(stringOf(role).toLowerCase());
  if (known === undefined) throw fieldFault(at, "must be one of user, assistant, system, tool");
  return known;
}

function readMessage(message: JsonObject, at: string, warn: Warn): ChatMessage {
  const role = readRole(message["role"], `${at}.role`);
  const toolCalls = readCalls(message["tool_calls"] ?? message["toolCalls"] ?? [], `${at}.tool_calls`);
  const content = readContent(message["content"], `${at}.content`, warn);
  if (content === null && toolCalls.length === 0 && role !== "assistant")
    throw fieldFault(`${at}.content`, "is missing", "missing_field");
  const toolCallId = readText(message["tool_call_id"] ?? message["toolCallId"], `${at}.tool_call_id`);
  if (role === "tool" && toolCallId === undefined)
    throw fieldFault(`${at}.tool_call_id`, "is missing", "missing_field");
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
  if (!isArray(calls)) throw fieldFault(at, "must be an array");
  return calls.map((call, index) => readCall(call, `${at}[${index}]`));
}

/**
 * The request's messages in canonical form; `warn` hears what was left out. Throws `missing_field` and
 * `invalid_value` naming the field.
 */
export function readMessages(raw: readonly JsonObject[], warn: Warn): readonly ChatMessage[] {
  const messages = raw.map((message, index) => readMessage(message, `messages[${index}]`, warn));
  const hasUser = messages.some(
    ({ role, content }) => role === "user" && content !== null && content.length > 0,
  );
  if (raw.length > 0 && !hasUser && !messages.some(({ role }) => role === "tool")) {
    throw fieldFault("messages", "must hold a user message with content, or answers to open tool calls");
  }
  return messages;
}
