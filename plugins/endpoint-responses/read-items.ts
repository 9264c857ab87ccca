import { fieldFault, freeFormArguments } from "@pergola/kit-provider";
import { defined, isObject, stringOf, type ChatMessage, type JsonObject, type ToolCall } from "@pergola/sdk";
import { readContent } from "./read-parts.ts";
import { flatName } from "./read-tools.ts";

type Role = ChatMessage["role"];

const roles: ReadonlyMap<unknown, Role> = new Map([
  ["system", "system"],
  ["developer", "system"],
  ["user", "user"],
  ["assistant", "assistant"],
]);

function readText(value: unknown, at: string): string {
  const rule = "must be a string that is not empty";
  if (value === undefined) throw fieldFault(at, rule, "missing_field");
  if (typeof value !== "string" || value === "") throw fieldFault(at, rule);
  return value;
}

function readRole(role: unknown, at: string): Role {
  const known = roles.get(role);
  if (known === undefined) throw fieldFault(at, "must be one of user, assistant, system, developer");
  return known;
}

const hasText = (part: unknown): part is { readonly text: string } =>
  isObject(part) && typeof part["text"] === "string";

const summaryOf = ({ summary, content }: JsonObject): string =>
  [summary, content]
    .filter((parts) => Array.isArray(parts))
    .flat()
    .filter(hasText)
    .map(({ text }) => text)
    .join("\n\n");

/** An item by itself; `reasoning` and `call` belong to the turn of the assistant around them. */
export type Item =
  | { readonly kind: "message"; readonly message: ChatMessage }
  | { readonly kind: "reasoning"; readonly text: string }
  | { readonly kind: "call"; readonly call: ToolCall };

type ItemReader = (raw: JsonObject, at: string) => Item;

const readMessage: ItemReader = (raw, at) => ({
  kind: "message",
  message: {
    role: readRole(raw["role"], `${at}.role`),
    content: readContent(raw["content"], `${at}.content`),
  },
});

/** The name under which models see the tool, and the form in which the caller has it. */
function readTool({ name, namespace }: JsonObject, at: string, freeForm?: boolean) {
  const own = readText(name, `${at}.name`);
  const space = stringOf(namespace);
  if (space === "") return { name: own, ...(freeForm && { form: { freeForm } }) };
  return { name: flatName(space, own), form: defined({ freeForm, namespace: space, name: own }) };
}

const readFunctionCall: ItemReader = (raw, at) => {
  const { call_id: id, arguments: args } = raw;
  if (typeof args !== "string") throw fieldFault(`${at}.arguments`, "must be a JSON text");
  return { kind: "call", call: { id: readText(id, `${at}.call_id`), ...readTool(raw, at), arguments: args } };
};

const readCustomCall: ItemReader = (raw, at) => {
  const { call_id: id, input } = raw;
  if (typeof input !== "string") throw fieldFault(`${at}.input`, "must be a string");
  const call = { id: readText(id, `${at}.call_id`), ...readTool(raw, at, true) };
  return { kind: "call", call: { ...call, arguments: freeFormArguments(input) } };
};

/** A call of a tool that the format has a type of its own for, and that the client ran: as of a function. */
const readTypedCall =
  (name: string, field: string): ItemReader =>
  ({ call_id: callId, id, [field]: action }, at) => ({
    kind: "call",
    call: { id: readText(callId ?? id, `${at}.call_id`), name, arguments: JSON.stringify(action ?? {}) },
  });

/** Parts of a message, or what a typed output holds, as JSON text. */
function readOutput(output: unknown, at: string) {
  const isParts = Array.isArray(output) && output.every((part) => isObject(part) && "type" in part);
  if (typeof output === "string" || isParts || output === undefined) return readContent(output ?? "", at);
  return JSON.stringify(output);
}

const readCallOutput: ItemReader = ({ call_id: id, output }, at) => ({
  kind: "message",
  message: {
    role: "tool",
    toolCallId: readText(id, `${at}.call_id`),
    content: readContent(output, `${at}.output`),
  },
});

const readTypedOutput: ItemReader = ({ call_id: callId, id, output, status }, at) => ({
  kind: "message",
  message: {
    role: "tool",
    toolCallId: readText(callId ?? id, `${at}.call_id`),
    content: readOutput(output ?? status ?? "", `${at}.output`),
  },
});

const readers: ReadonlyMap<unknown, ItemReader> = new Map([
  ["message", readMessage],
  ["reasoning", (raw): Item => ({ kind: "reasoning", text: summaryOf(raw) })],
  ["function_call", readFunctionCall],
  ["function_call_output", readCallOutput],
  ["custom_tool_call", readCustomCall],
  ["custom_tool_call_output", readCallOutput],
  ["local_shell_call", readTypedCall("local_shell", "action")],
  ["local_shell_call_output", readTypedOutput],
  ["shell_call", readTypedCall("shell", "action")],
  ["shell_call_output", readTypedOutput],
  ["apply_patch_call", readTypedCall("apply_patch", "operation")],
  ["apply_patch_call_output", readTypedOutput],
]);

/** An item of the input; undefined for a type that Pergola has nothing for. */
export function readItem(raw: JsonObject, at: string): Item | undefined {
  return readers.get(raw["type"] ?? "message")?.(raw, at);
}
