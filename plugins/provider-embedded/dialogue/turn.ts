import type { ChatMessage } from "@pergola/sdk";
import { type ContextBlock, splitContext } from "./context-block.ts";
import { type Outcome, readOutcome } from "../results/outcome.ts";

/** A message of the person and what was said to it. */
export interface Exchange {
  readonly request: string;
  readonly answer: string;
}

/** A conversation as the guide sees it. */
export interface Turn {
  /** The newest message of the person, without what the host added. */
  readonly request: string;
  readonly context: ContextBlock;
  /** What went before, oldest first. */
  readonly before: readonly Exchange[];
  /** The calls made for the newest message and what they returned, in order. */
  readonly done: readonly Outcome[];
}

/** The text of a message; pictures are left out. */
export function textOf({ content }: ChatMessage): string {
  if (content === null) return "";
  if (typeof content === "string") return content;
  const parts = content.filter((part) => part.type === "text");
  return parts.map((part) => part.text).join("\n");
}

function outcomesIn(messages: readonly ChatMessage[]): readonly Outcome[] {
  const answers = messages.filter(({ role }) => role === "tool");
  const results = new Map(answers.map((message) => [message.toolCallId ?? "", textOf(message)]));
  return messages.flatMap(({ toolCalls = [] }) =>
    toolCalls.map((call) => readOutcome(call, results.get(call.id) ?? "")),
  );
}

function exchangesIn(messages: readonly ChatMessage[]): readonly Exchange[] {
  const exchanges: { request: string; answer: string }[] = [];
  for (const message of messages) {
    if (message.role === "user") exchanges.push({ request: splitContext(textOf(message)).text, answer: "" });
    const last = exchanges.at(-1);
    if (message.role === "assistant" && last !== undefined)
      last.answer = `${last.answer}\n${textOf(message)}`.trim();
  }
  return exchanges;
}

/** Reads a conversation: the newest request, what led to it, and what was already done about it. */
export function readTurn(messages: readonly ChatMessage[]): Turn {
  const newest = messages.findLastIndex(({ role }) => role === "user");
  const message = messages[newest];
  const { text, context } = splitContext((message && textOf(message)) ?? "");
  return {
    request: text,
    context,
    before: exchangesIn(messages.slice(0, Math.max(0, newest))),
    done: outcomesIn(messages.slice(newest + 1)),
  };
}
