import type { ChatMessage, ToolCall } from "@pergola/sdk";

/** A message of the conversation with the answers to its calls, under ids of their own. */
export interface Exchange {
  readonly message: ChatMessage;
  readonly calls: readonly { readonly call: ToolCall; readonly answer: ChatMessage | undefined }[];
}

/** The answer to a call of message `at`: the next tool message of that id, before the id is used again. */
function findAnswer(
  messages: readonly ChatMessage[],
  at: number,
  id: string,
  used: ReadonlySet<number>,
): number {
  for (let index = at + 1; index < messages.length; index++) {
    const { role, toolCallId, toolCalls } = messages[index] as ChatMessage;
    if (role === "tool" && toolCallId === id && !used.has(index)) return index;
    if (toolCalls?.some((call) => call.id === id) === true) return -1;
  }
  return -1;
}

/** Ids of the vendor's alphabet, each once in a conversation. */
function uniqueIds(): (id: string) => string {
  const taken = new Set<string>();
  return (id) => {
    const base = id.replaceAll(/[^A-Za-z0-9_-]/g, "_") || "call";
    let unique = base;
    for (let number = 2; taken.has(unique); number++) unique = `${base}_${number}`;
    taken.add(unique);
    return unique;
  };
}

/** Takes every call together with its answer. Tool messages that answer nothing stand alone. */
export function pairCalls(messages: readonly ChatMessage[]): readonly Exchange[] {
  const used = new Set<number>();
  const unique = uniqueIds();
  return messages.flatMap((message, at) => {
    if (used.has(at)) return [];
    const calls = (message.role === "assistant" ? (message.toolCalls ?? []) : []).map((call) => {
      const found = findAnswer(messages, at, call.id, used);
      if (found >= 0) used.add(found);
      return { call: { ...call, id: unique(call.id) }, answer: messages[found] };
    });
    return [{ message, calls }];
  });
}
