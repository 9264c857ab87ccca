import type { ChatMessage } from "@pergola/sdk";
import type { Entry } from "./entries.ts";

function ending(message: ChatMessage, text: string): ChatMessage {
  const { content } = message;
  if (typeof content === "object" && content !== null)
    return { ...message, content: [...content, { type: "text", text }] };
  return { ...message, content: `${content ?? ""}\n\n${text}` };
}

/**
 * What is kept of the beginning, and the block that stands for the rest at the end of its first user message:
 * roles go on alternating, and it is no instruction of the service's own.
 */
export function withSummary(head: readonly Entry[], block: string | undefined): readonly ChatMessage[] {
  const messages = head.map(({ chat }) => chat);
  const first = messages.findIndex(({ role }) => role === "user");
  if (block === undefined) return messages;
  if (first < 0) return [{ role: "user", content: block }, ...messages];
  return messages.with(first, ending(messages[first]!, block));
}
