import type { JsonObject } from "@pergola/sdk";
import type { Conversation, WireMessage } from "./build-messages.ts";

/** Breakpoints that the vendor takes in one request. */
const most = 4;

const ephemeral = { type: "ephemeral" } as const;
const isMarked = (block: JsonObject): boolean => "cache_control" in block;

const markLast = (blocks: readonly JsonObject[]): readonly JsonObject[] => {
  const last = blocks.at(-1);
  return last === undefined || isMarked(last)
    ? blocks
    : blocks.with(-1, { ...last, cache_control: ephemeral });
};

function withoutMark(block: JsonObject): JsonObject {
  const { cache_control: _, ...rest } = block;
  return rest;
}

/** Of more breakpoints than the vendor takes the last ones stay, which reach farthest. */
function limited({ system, messages }: Conversation): Conversation {
  const count = [...system, ...messages.flatMap(({ content }) => content)].filter(isMarked).length;
  let surplus = count - most;
  const trim = (block: JsonObject): JsonObject =>
    isMarked(block) && surplus-- > 0 ? withoutMark(block) : block;
  return {
    system: system.map(trim),
    messages: messages.map((message) => ({ ...message, content: message.content.map(trim) })),
  };
}

/** The newest message of the user's own words, not of tool results. */
const newestWords = (messages: readonly WireMessage[]): number =>
  messages.findLastIndex(
    ({ role, content }) => role === "user" && content.some(({ type }) => type !== "tool_result"),
  );

/**
 * Marks what stays the same from call to call: the system prompt, with the tools before it, and the
 * conversation up to the newest words of the user, which change with each call. A caller that sets
 * breakpoints in messages knows better.
 */
export function markForCache(conversation: Conversation): Conversation {
  const { system, messages } = conversation;
  const known = messages.some(({ content }) => content.some(isMarked));
  const before = known ? -1 : newestWords(messages) - 1;
  const history = messages.map((message, at) =>
    at === before ? { ...message, content: markLast(message.content) } : message,
  );
  return limited({ system: markLast(system), messages: history });
}
