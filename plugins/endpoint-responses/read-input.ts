import { contentText, fieldFault } from "@pergola/kit-provider";
import { stringOf, type ChatMessage, type JsonObject, type ToolCall } from "@pergola/sdk";
import { readItem, type Item } from "./read-items.ts";
import { lostParts } from "./read-parts.ts";

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
    else if (item.message.role === "assistant") opened().text += contentText(item.message.content, "");
    else {
      close();
      messages.push(item.message);
    }
  }
  close();
  return messages;
}

/** What a request brings, and what of it was left out. */
export interface ReadInput {
  readonly messages: readonly ChatMessage[];
  readonly warnings: readonly string[];
}

const leftOut = ({ type }: JsonObject, at: string): string =>
  `${at} was left out: Pergola has nothing for items of type "${stringOf(type)}".`;

/** Items as messages; `field` is the request's field with them. Throws as `readInput`. */
export function readItems(input: readonly JsonObject[], field: string): ReadInput {
  const at = (index: number): string => `${field}[${index}]`;
  const items = input.map((item, index) => readItem(item, at(index)));
  const messages = fold(items.filter((item) => item !== undefined));
  const warnings = input.flatMap((item, index) =>
    items[index] === undefined
      ? [leftOut(item, at(index))]
      : lostParts(item["content"] ?? item["output"], `${at(index)}.content`),
  );
  return { messages, warnings };
}

/** The request's input as messages. Throws `missing_field` and `invalid_value` naming the field. */
export function readInput(input: string | readonly JsonObject[]): ReadInput {
  if (typeof input === "string") return { messages: [{ role: "user", content: input }], warnings: [] };
  const read = readItems(input, "input");
  const asks = ({ role, content }: ChatMessage): boolean =>
    role === "tool" || (role === "user" && content !== null && content.length > 0);
  if (read.messages.some(asks)) return read;
  throw fieldFault("input", "must hold a user message with content, or outputs of tool calls");
}
