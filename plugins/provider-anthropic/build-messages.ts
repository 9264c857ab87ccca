import { parseArguments, type ChatMessage, type JsonObject } from "@pergola/sdk";
import { contentBlocks } from "./content-blocks.ts";
import { pairCalls, type Exchange } from "./pair-calls.ts";
import { reasoningBlocks } from "./reasoning-block.ts";
import type { ToolNames } from "./tool-names.ts";

export interface WireMessage {
  readonly role: "user" | "assistant";
  readonly content: readonly JsonObject[];
}

export interface Conversation {
  readonly system: readonly JsonObject[];
  readonly messages: readonly WireMessage[];
}

interface Options {
  readonly names: Pick<ToolNames, "sent">;
  /** An assistant's message may be last. */
  readonly prefill: boolean;
  /** Blocks of thinking of the newest turn are sent again. */
  readonly thinks: boolean;
  readonly warn: (text: string) => void;
}

const textBlock = (text: string): JsonObject => ({ type: "text", text });
const unanswered = [textBlock('{"success":false,"message":"No result of this call is known."}')];
const nothing = [textBlock("(no output)")];
const beginning: WireMessage = {
  role: "user",
  content: [textBlock("(The beginning of the conversation is left out.)")],
};
const goOn: WireMessage = { role: "user", content: [textBlock("Go on.")] };

/** The caller's cache breakpoint stands on the last block of its message. */
function marked(blocks: readonly JsonObject[], { extra }: ChatMessage): readonly JsonObject[] {
  const control = extra?.["cache_control"];
  const last = blocks.at(-1);
  if (control === undefined || control === null || last === undefined) return blocks;
  return blocks.with(-1, { ...last, cache_control: control });
}

function inputOf(text: string): JsonObject {
  try {
    return parseArguments(text);
  } catch {
    return {};
  }
}

const isFailed = ({ content }: ChatMessage): boolean =>
  typeof content === "string" && /^\s*\{\s*"success"\s*:\s*false\b/.test(content);

function resultBlock(id: string, answer: ChatMessage | undefined, warn: (text: string) => void): JsonObject {
  const result = { type: "tool_result", tool_use_id: id };
  if (answer === undefined) return { ...result, content: unanswered, is_error: true };
  const blocks = contentBlocks(answer.content, warn);
  const content = blocks.length === 0 ? nothing : blocks;
  return (
    marked([{ ...result, content, ...(isFailed(answer) ? { is_error: true } : {}) }], answer)[0] ?? result
  );
}

/** A tool message whose call is not there any more is told as text. */
const orphan = (message: ChatMessage, { warn }: Options): WireMessage => ({
  role: "user",
  content: marked(
    [textBlock(`Result of ${message.name ?? "a tool"}:`), ...contentBlocks(message.content, warn)],
    message,
  ),
});

/** A message, and behind it the user's with the results of its calls. */
function exchanged({ message, calls }: Exchange, options: Options): readonly WireMessage[] {
  const { names, warn, thinks } = options;
  if (message.role === "tool") return [orphan(message, options)];
  const blocks = contentBlocks(message.content, warn);
  if (message.role !== "assistant") return [{ role: "user", content: marked(blocks, message) }];
  const uses = calls.map(({ call }) => ({
    type: "tool_use",
    id: call.id,
    name: names.sent(call.name),
    input: inputOf(call.arguments),
  }));
  const thoughts = thinks ? reasoningBlocks(message.extra) : [];
  const said = [...thoughts, ...blocks, ...uses];
  const results = calls.map(({ call, answer }) => resultBlock(call.id, answer, warn));
  return [
    { role: "assistant", content: said.length === thoughts.length ? [] : marked(said, message) },
    { role: "user", content: results },
  ];
}

function mergeNeighbours(messages: readonly WireMessage[]): readonly WireMessage[] {
  const merged: WireMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (message.content.length === 0) continue;
    if (last?.role === message.role)
      merged[merged.length - 1] = { ...last, content: [...last.content, ...message.content] };
    else merged.push(message);
  }
  return merged;
}

const isResult = ({ role, content }: WireMessage): boolean =>
  role === "user" && content[0]?.["type"] === "tool_result";
const isThought = ({ type }: JsonObject): boolean => type === "thinking" || type === "redacted_thinking";

/**
 * Thinking is wanted again only within the turn that it belongs to, which begins where the user speaks
 * without answering a call.
 */
function newestThoughts(messages: readonly WireMessage[]): readonly WireMessage[] {
  const begin = messages.findLastIndex((message) => message.role === "user" && !isResult(message));
  return messages.map((message, at) =>
    at < begin ? { ...message, content: message.content.filter((block) => !isThought(block)) } : message,
  );
}

/** The vendor refuses an assistant's message that ends with white space. */
function trimmedEnd(messages: readonly WireMessage[]): readonly WireMessage[] {
  const last = messages.at(-1);
  const block = last?.content.at(-1);
  if (last?.role !== "assistant" || typeof block?.["text"] !== "string") return messages;
  return messages.with(-1, {
    ...last,
    content: last.content.with(-1, { ...block, text: block["text"].trimEnd() }),
  });
}

/**
 * A conversation as the vendor accepts it: system messages on top, the roles in turn from the user on, no
 * empty content, the results of an assistant's calls first in the message behind it, no result without a
 * call. Later system messages are told as the user's.
 */
export function buildMessages(messages: readonly ChatMessage[], options: Options): Conversation {
  const begun = messages.findIndex(({ role }) => role === "user" || role === "assistant" || role === "tool");
  const head = begun < 0 ? messages : messages.slice(0, begun);
  const rest = begun < 0 ? [] : messages.slice(begun);
  const built = newestThoughts(
    mergeNeighbours(pairCalls(rest).flatMap((exchange) => exchanged(exchange, options))),
  );
  const opened = built[0]?.role === "user" ? built : [beginning, ...built];
  const closed =
    opened.at(-1)?.role === "assistant" && !options.prefill ? [...opened, goOn] : trimmedEnd(opened);
  return {
    system: head.flatMap((message) => marked(contentBlocks(message.content, options.warn), message)),
    messages: closed,
  };
}

/**
 * Whether the newest turn, if it calls tools, begins with thinking, which the vendor wants of a turn that
 * thinks.
 */
export function beginsWithThought(messages: readonly WireMessage[]): boolean {
  const last = messages.at(-1);
  if (last === undefined || !isResult(last)) return true;
  const first = messages.findLast(({ role }) => role === "assistant")?.content[0];
  return first !== undefined && isThought(first);
}
