import type { ChatMessage, ToolCall } from "@pergola/sdk";

/** One message with what came back for each of its calls, in their order; undefined where nobody answered. */
export interface Step {
  readonly message: ChatMessage;
  readonly results: readonly (ChatMessage | undefined)[];
}

/** The answer to a call of message `at`: the next tool message of that id, before the id is used again. */
function findResult(
  messages: readonly ChatMessage[],
  at: number,
  { id }: ToolCall,
  used: ReadonlySet<number>,
): number {
  for (let index = at + 1; index < messages.length; index++) {
    const { role, toolCallId, toolCalls } = messages[index] as ChatMessage;
    if (role === "tool" && toolCallId === id && !used.has(index)) return index;
    if (toolCalls?.some((call) => call.id === id) === true) return -1;
  }
  return -1;
}

/** Puts every call's result beside it. A result without a call stays a step of its own. */
export function pairResults(messages: readonly ChatMessage[]): readonly Step[] {
  const used = new Set<number>();
  return messages.flatMap((message, at) => {
    if (used.has(at)) return [];
    const results = (message.toolCalls ?? []).map((call) => {
      const found = findResult(messages, at, call, used);
      if (found >= 0) used.add(found);
      return messages[found];
    });
    return [{ message, results }];
  });
}
