import type { ChatMessage, ModelCall } from "../contract/provider.ts";
import { lastUserIndex } from "./last-user-index.ts";

type Content = ChatMessage["content"];

function withBlock(content: Content, block: string): Content {
  if (content === null || content === "") return block;
  if (typeof content === "string") return `${content}\n\n${block}`;
  return [...content, { type: "text", text: block }];
}

/** The message with the block at its end. */
export const messageWithBlock = (message: ChatMessage, block: string): ChatMessage => ({
  ...message,
  content: withBlock(message.content, block),
});

/**
 * The call with the block at the end of its newest user message, or of the message at `index`. Every other
 * message is the same object as before, so what a provider has in its cache stays good; a call without such a
 * message, and one that is handed through raw, stays as it is.
 */
export function addBlock(
  call: ModelCall,
  block: string,
  index: number = lastUserIndex(call.messages),
): ModelCall {
  const message = call.messages[index];
  if (call.raw !== undefined || message === undefined) return call;
  return { ...call, messages: call.messages.with(index, messageWithBlock(message, block)) };
}
