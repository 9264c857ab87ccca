import type { ChatMessage, JsonObject } from "@pergola/sdk";
import {
  argumentsOf,
  mergeNeighbours,
  noOutput,
  noResult,
  unpairedResultTitle,
  pairCalls,
  type Exchange,
  type Warn,
} from "@pergola/kit-provider";
import { contentBlocks } from "./content-blocks.ts";
import { reasoningBlocks } from "./reasoning-block.ts";
import type { ToolNames } from "./tool-names.ts";
import { uniqueIds } from "./unique-ids.ts";

type Blocks = readonly JsonObject[];

export interface WireMessage {
  readonly role: "user" | "assistant";
  readonly content: Blocks;
}

export interface Conversation {
  readonly system: Blocks;
  readonly messages: readonly WireMessage[];
}

interface Options {
  readonly names: Pick<ToolNames, "wireName">;
  /** An assistant's message may be last. */
  readonly prefill: boolean;
  /** The thinking of the newest turn is sent again. */
  readonly thinks: boolean;
  readonly warn: Warn;
}

const textBlock = (text: string): JsonObject => ({ type: "text", text });
const userMessage = (...content: Blocks): WireMessage => ({ role: "user", content });

const missingResult = [textBlock(JSON.stringify({ success: false, message: noResult }))];
const missingBeginning = userMessage(textBlock("(The beginning of the conversation is left out.)"));
const continuation = userMessage(textBlock("Go on."));

/** Puts the caller's cache breakpoint on the last block of its message. */
function withBreakpoint(blocks: Blocks, { extra }: ChatMessage): Blocks {
  const control = extra?.["cache_control"] ?? undefined;
  const last = blocks.at(-1);
  if (control === undefined || last === undefined) return blocks;
  return blocks.with(-1, { ...last, cache_control: control });
}

const isFailed = ({ content }: ChatMessage): boolean =>
  typeof content === "string" && /^\s*\{\s*"success"\s*:\s*false\b/.test(content);

function resultBlocks(id: string, result: ChatMessage | undefined, warn: Warn): Blocks {
  const block = { type: "tool_result", tool_use_id: id };
  if (result === undefined) return [{ ...block, content: missingResult, is_error: true }];
  const blocks = contentBlocks(result.content, warn);
  const content = blocks.length > 0 ? blocks : [textBlock(noOutput)];
  return withBreakpoint([{ ...block, content, ...(isFailed(result) && { is_error: true }) }], result);
}

function unpairedResult(message: ChatMessage, warn: Warn): WireMessage {
  const blocks = [textBlock(unpairedResultTitle(message)), ...contentBlocks(message.content, warn)];
  return userMessage(...withBreakpoint(blocks, message));
}

/** Translates messages one by one; ids of calls are unique over all of them. */
class MessageBuilder {
  readonly #options: Options;
  readonly #uniqueId = uniqueIds();

  constructor(options: Options) {
    this.#options = options;
  }

  /** A message, and after it the user's with the results of its calls. */
  build(exchange: Exchange): readonly WireMessage[] {
    const { message } = exchange;
    const { warn } = this.#options;
    if (message.role === "tool") return [unpairedResult(message, warn)];
    if (message.role === "assistant") return this.#assistant(exchange);
    return [userMessage(...withBreakpoint(contentBlocks(message.content, warn), message))];
  }

  #assistant({ message, results }: Exchange): readonly WireMessage[] {
    const { names, warn, thinks } = this.#options;
    const { toolCalls = [] } = message;
    const ids = toolCalls.map(({ id }) => this.#uniqueId(id));
    const uses = toolCalls.map((call, index) => ({
      type: "tool_use",
      id: ids[index] ?? "",
      name: names.wireName(call.name),
      input: argumentsOf(call),
    }));
    const output = [...contentBlocks(message.content, warn), ...uses];
    if (output.length === 0) return [];
    const thoughts = thinks ? reasoningBlocks(message.extra) : [];
    const content = withBreakpoint([...thoughts, ...output], message);
    const answers = ids.flatMap((id, index) => resultBlocks(id, results[index], warn));
    return [{ role: "assistant", content }, userMessage(...answers)];
  }
}

function merge(previous: WireMessage, next: WireMessage): WireMessage | undefined {
  if (previous.role !== next.role) return undefined;
  return { ...previous, content: [...previous.content, ...next.content] };
}

const isResult = ({ role, content }: WireMessage): boolean =>
  role === "user" && content[0]?.["type"] === "tool_result";
const isThinking = ({ type }: JsonObject): boolean => type === "thinking" || type === "redacted_thinking";

/**
 * The vendor wants thinking again only within the turn it belongs to, which begins where the user speaks
 * without answering a call.
 */
function withoutOldThinking(messages: readonly WireMessage[]): readonly WireMessage[] {
  const start = messages.findLastIndex((message) => message.role === "user" && !isResult(message));
  return messages.map((message, index) => {
    if (index >= start) return message;
    return { ...message, content: message.content.filter((block) => !isThinking(block)) };
  });
}

/** The vendor refuses an assistant's message that ends with white space. */
function withTrimmedEnd(messages: readonly WireMessage[], last: WireMessage): readonly WireMessage[] {
  const block = last.content.at(-1);
  if (typeof block?.["text"] !== "string") return messages;
  const content = last.content.with(-1, { ...block, text: block["text"].trimEnd() });
  return messages.with(-1, { ...last, content });
}

/** The roles in turn, from the user on, to an end that the model accepts. */
function withEnds(messages: readonly WireMessage[], prefill: boolean): readonly WireMessage[] {
  const opened = messages[0]?.role === "user" ? messages : [missingBeginning, ...messages];
  const last = opened.at(-1);
  if (last?.role !== "assistant") return opened;
  return prefill ? withTrimmedEnd(opened, last) : [...opened, continuation];
}

/**
 * A conversation as the vendor accepts it: system messages on top, the roles in turn from the user on, no
 * empty content, the results of an assistant's calls first in the message after it, no result without a call.
 * Later system messages become the user's.
 */
export function buildMessages(messages: readonly ChatMessage[], options: Options): Conversation {
  const isTurn = ({ role }: ChatMessage): boolean => ["user", "assistant", "tool"].includes(role);
  const start = messages.findIndex(isTurn);
  const head = start < 0 ? messages : messages.slice(0, start);
  const builder = new MessageBuilder(options);
  const built = pairCalls(messages.slice(head.length))
    .flatMap((exchange) => builder.build(exchange))
    .filter(({ content }) => content.length > 0);
  const merged = withoutOldThinking(mergeNeighbours(built, merge));
  return {
    system: head.flatMap((message) => withBreakpoint(contentBlocks(message.content, options.warn), message)),
    messages: withEnds(merged, options.prefill),
  };
}

/**
 * Whether the newest turn, if it calls tools, begins with thinking, which the vendor wants of a turn that
 * thinks.
 */
export function beginsWithThinking(messages: readonly WireMessage[]): boolean {
  const last = messages.at(-1);
  if (last === undefined || !isResult(last)) return true;
  const first = messages.findLast(({ role }) => role === "assistant")?.content[0];
  return first !== undefined && isThinking(first);
}
