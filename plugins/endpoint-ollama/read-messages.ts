import { createHash } from "node:crypto";
import { fieldFault, fieldsOf, listOf } from "@pergola/kit-provider";
import { defined, isObject, stringOf, type ChatMessage, type JsonObject, type ToolCall } from "@pergola/sdk";
import { readImage } from "./read-image.ts";

const roles: ReadonlySet<string> = new Set(["system", "user", "assistant", "tool"]);

const isRole = (role: string): role is ChatMessage["role"] => roles.has(role);

/** A text; absent and null are an empty one. */
function textIn(message: JsonObject, key: string, at: string): string {
  const value = message[key] ?? "";
  if (typeof value === "string") return value;
  throw fieldFault(`${at}.${key}`, "must be a string");
}

/** A list; absent and null are an empty one. */
function listIn(message: JsonObject, key: string, at: string): readonly unknown[] {
  const value = message[key] ?? [];
  if (Array.isArray(value)) return listOf(value);
  throw fieldFault(`${at}.${key}`, "must be an array");
}

function argumentsIn(value: unknown, at: string): string {
  if (isObject(value)) return JSON.stringify(value);
  if (typeof value === "string") return value;
  throw fieldFault(at, "must be an object");
}

/** A message with its text, images or calls; `idOf` gives an id to a call without one. */
function readMessage(message: JsonObject, at: string, idOf: (index: number) => string): ChatMessage {
  const role = stringOf(message["role"]).toLowerCase();
  if (!isRole(role)) throw fieldFault(`${at}.role`, "must be one of user, assistant, system, tool");
  const text = textIn(message, "content", at);
  const images = listIn(message, "images", at).map((image, index) =>
    readImage(image, `${at}.images[${index}]`),
  );
  const calls = listIn(message, "tool_calls", at).map((call, index): ToolCall => {
    const place = `${at}.tool_calls[${index}].function`;
    const { id, function: named } = fieldsOf(call);
    const { name, arguments: args = {} } = fieldsOf(named);
    if (typeof name !== "string" || name === "") throw fieldFault(`${place}.name`, "must be a string");
    return { id: stringOf(id) || idOf(index), name, arguments: argumentsIn(args, `${place}.arguments`) };
  });
  const parts = text === "" ? images : [{ type: "text", text } as const, ...images];
  return defined({
    role,
    content: images.length > 0 ? parts : text || (calls.length > 0 ? null : ""),
    toolCalls: calls.length > 0 ? calls : undefined,
    reasoning: textIn(message, "thinking", at) || undefined,
  });
}

/** The open call that a tool's answer is for: the one that it names, by id or by the tool, else the first. */
function takeCall(open: ToolCall[], { tool_call_id: id, tool_name: tool, name }: JsonObject) {
  const byId = open.findIndex((call) => call.id === id);
  const byName = open.findIndex((call) => call.name === (tool ?? name));
  const [call] = open.splice(byId >= 0 ? byId : Math.max(0, byName), 1);
  return call;
}

/**
 * The request's messages. The format's calls mostly have no ids: they get those that their place in this
 * history makes, the same in each request that repeats it, and answers are matched with them in order; calls
 * at the same time may be messages of their own. Throws
 * `invalid_value` naming the field, and `unknown_tool_call_id` for an answer that no call waits for.
 */
export function readMessages(raw: readonly JsonObject[]): readonly ChatMessage[] {
  const history = createHash("sha256");
  let open: ToolCall[] = [];
  let previous: ChatMessage["role"] | undefined;
  return raw.map((message, index) => {
    const at = `messages[${index}]`;
    history.update(JSON.stringify(message));
    const place = history.copy().digest("hex").slice(0, 20);
    const read = readMessage(message, at, (call) => `call_${place}_${call}`);
    if (read.role === "assistant")
      open = [...(previous === "assistant" ? open : []), ...(read.toolCalls ?? [])];
    previous = read.role;
    if (read.role !== "tool") return read;
    const call = takeCall(open, message);
    if (call === undefined) throw fieldFault(at, "answers no call", "unknown_tool_call_id");
    return { ...read, toolCallId: call.id, name: call.name };
  });
}
