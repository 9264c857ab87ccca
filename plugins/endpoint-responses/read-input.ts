import {
  defined,
  isObject,
  type ChatMessage,
  type ContentPart,
  type JsonObject,
  type ToolCall,
} from "@pergola/sdk";
import { fault } from "./fault.ts";

type Role = ChatMessage["role"];

const roles: ReadonlyMap<unknown, Role> = new Map([
  ["system", "system"],
  ["developer", "system"],
  ["user", "user"],
  ["assistant", "assistant"],
]);

function readText(value: unknown, at: string): string {
  const rule = "must be a string that is not empty";
  if (value === undefined) throw fault(at, rule, "missing_field");
  if (typeof value !== "string" || value === "") throw fault(at, rule);
  return value;
}

const textOrNone = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** `input_text`, `output_text`, `text`, `refusal` and `input_image` with an https or data URL. */
function readPart(part: unknown, at: string): ContentPart {
  const { type, text, refusal, image_url: url, detail } = isObject(part) ? part : {};
  if (["input_text", "output_text", "text"].includes(String(type)) && typeof text === "string")
    return { type: "text", text };
  if (type === "refusal" && typeof refusal === "string") return { type: "text", text: refusal };
  if (type === "input_image" && typeof url === "string" && /^(https:|data:)/i.test(url)) {
    return { type: "image_url", image_url: defined({ url, detail: textOrNone(detail) }) };
  }
  throw fault(
    at,
    "must be a part of type input_text or output_text, or of type input_image with an https or data URL",
  );
}

const isText = (part: ContentPart) => part.type === "text";

/** Parts that are all text are one text. */
function readContent(content: unknown, at: string): string | readonly ContentPart[] {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) throw fault(at, "must be a string or an array of parts");
  const parts = content.map((part, index) => readPart(part, `${at}[${index}]`));
  if (parts.every(isText)) return parts.map(({ text }) => text).join("\n");
  return parts;
}

function readRole(role: unknown, at: string): Role {
  const known = roles.get(role);
  if (known === undefined) throw fault(at, "must be one of user, assistant, system, developer");
  return known;
}

function readCall({ call_id: id, name, arguments: args }: JsonObject, at: string): ToolCall {
  if (typeof args !== "string") throw fault(`${at}.arguments`, "must be a JSON text");
  return { id: readText(id, `${at}.call_id`), name: readText(name, `${at}.name`), arguments: args };
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
type Item =
  | { readonly kind: "message"; readonly message: ChatMessage }
  | { readonly kind: "reasoning"; readonly text: string }
  | { readonly kind: "call"; readonly call: ToolCall };

type ItemReader = (raw: JsonObject, at: string) => Item;

const readers: Readonly<Record<string, ItemReader>> = {
  message: (raw, at) => ({
    kind: "message",
    message: {
      role: readRole(raw["role"], `${at}.role`),
      content: readContent(raw["content"], `${at}.content`),
    },
  }),
  reasoning: (raw) => ({ kind: "reasoning", text: summaryOf(raw) }),
  function_call: (raw, at) => ({ kind: "call", call: readCall(raw, at) }),
  function_call_output: ({ call_id: id, output }, at) => ({
    kind: "message",
    message: {
      role: "tool",
      toolCallId: readText(id, `${at}.call_id`),
      content: readContent(output, `${at}.output`),
    },
  }),
};

const readersByType: ReadonlyMap<unknown, ItemReader> = new Map(Object.entries(readers));

function readItem(raw: JsonObject, at: string): Item {
  const type = raw["type"] ?? "message";
  const reader = readersByType.get(type);
  if (reader === undefined) throw fault(`${at}.type`, `must be one of ${Object.keys(readers).join(", ")}`);
  return reader(raw, at);
}

/** One turn of the assistant, while its items are gathered. */
interface Turn {
  reasoning: string;
  text: string;
  readonly calls: ToolCall[];
}

const messageOf = ({ reasoning, text, calls }: Turn): ChatMessage => ({
  role: "assistant",
  content: text || null,
  ...(calls.length > 0 && { toolCalls: calls }),
  ...(reasoning !== "" && { reasoning }),
});

function plainText(content: ChatMessage["content"]): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

/**
 * Neighbouring items of the assistant are one message: reasoning, then text, then calls. Reasoning that
 * nothing follows is left out.
 */
function fold(items: readonly Item[]): readonly ChatMessage[] {
  const messages: ChatMessage[] = [];
  let turn: Turn | undefined;
  const close = (): void => {
    if (turn !== undefined && (turn.text !== "" || turn.calls.length > 0)) messages.push(messageOf(turn));
    turn = undefined;
  };
  const opened = (): Turn => (turn ??= { reasoning: "", text: "", calls: [] });
  for (const item of items) {
    if (turn !== undefined && turn.calls.length > 0 && item.kind !== "call") close();
    if (item.kind === "call") opened().calls.push(item.call);
    else if (item.kind === "reasoning")
      opened().reasoning = [turn?.reasoning ?? "", item.text].filter((text) => text !== "").join("\n\n");
    else if (item.message.role === "assistant") opened().text += plainText(item.message.content);
    else {
      close();
      messages.push(item.message);
    }
  }
  close();
  return messages;
}

/** The request's input as messages. Throws `missing_field` and `invalid_value` naming the field. */
export function readInput(input: string | readonly JsonObject[]): readonly ChatMessage[] {
  if (typeof input === "string") return [{ role: "user", content: input }];
  const messages = fold(input.map((item, index) => readItem(item, `input[${index}]`)));
  const asks = ({ role, content }: ChatMessage): boolean =>
    role === "tool" || (role === "user" && content !== null && content.length > 0);
  if (messages.some(asks)) return messages;
  throw fault("input", "must hold a user message with content, or outputs of function calls");
}
