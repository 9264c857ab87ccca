import type { ChatMessage } from "@pergola/sdk";

/** A message and the results of its calls. */
export interface Exchange {
  readonly message: ChatMessage;
  /** In the order of `message.toolCalls`; undefined where a call was never answered. */
  readonly results: readonly (ChatMessage | undefined)[];
}

/** The next tool message with this id, as long as no later call uses the id again; -1 if there is none. */
function findResult(
  messages: readonly ChatMessage[],
  start: number,
  id: string,
  used: ReadonlySet<number>,
): number {
  for (let index = start; index < messages.length; index++) {
    const { role, toolCallId, toolCalls = [] } = messages[index] as ChatMessage;
    if (role === "tool" && toolCallId === id && !used.has(index)) return index;
    if (toolCalls.some((call) => call.id === id)) return -1;
  }
  return -1;
}

/**
 * Puts the result of each call beside the message that made it, wherever it stands in the conversation. A
 * tool message that answers no call is an exchange of its own.
 */
export function pairCalls(messages: readonly ChatMessage[]): readonly Exchange[] {
  const used = new Set<number>();
  return messages.flatMap((message, index) => {
    if (used.has(index)) return [];
    const results = (message.toolCalls ?? []).map(({ id }) => {
      const found = findResult(messages, index + 1, id, used);
      used.add(found);
      return messages[found];
    });
    return [{ message, results }];
  });
}
