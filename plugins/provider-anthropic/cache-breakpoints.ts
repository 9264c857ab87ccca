import type { JsonObject } from "@pergola/sdk";
import { omitFields } from "@pergola/kit-provider";
import type { Conversation, WireMessage } from "./build-messages.ts";

/** Breakpoints that the vendor takes in one request. */
const most = 4;

const isMarked = (block: JsonObject): boolean => "cache_control" in block;

function markLast(blocks: readonly JsonObject[]): readonly JsonObject[] {
  const last = blocks.at(-1);
  if (last === undefined || isMarked(last)) return blocks;
  return blocks.with(-1, { ...last, cache_control: { type: "ephemeral" } });
}

/** Of more breakpoints than the vendor takes, the last ones stay: they reach farthest. */
function limitBreakpoints({ system, messages }: Conversation): Conversation {
  const blocks = [...system, ...messages.flatMap(({ content }) => content)];
  const marked = blocks.filter(isMarked);
  const surplus = new Set(marked.slice(0, Math.max(0, marked.length - most)));
  const trim = (block: JsonObject): JsonObject =>
    surplus.has(block) ? omitFields(block, ["cache_control"]) : block;
  return {
    system: system.map(trim),
    messages: messages.map((message) => ({ ...message, content: message.content.map(trim) })),
  };
}

/** The newest message with the user's own words, not only tool results. */
const newestPrompt = (messages: readonly WireMessage[]): number =>
  messages.findLastIndex(
    ({ role, content }) => role === "user" && content.some(({ type }) => type !== "tool_result"),
  );

/**
 * Marks what stays the same from call to call: the system prompt with the tools before it, the conversation
 * up to the newest words of the user, and with tools all of it, for the calls that follow their results. A
 * caller that sets breakpoints in messages knows better.
 */
export function markForCache({ system, messages }: Conversation, hasTools: boolean): Conversation {
  const hasOwn = messages.some(({ content }) => content.some(isMarked));
  const ends = hasOwn ? [] : [newestPrompt(messages) - 1, ...(hasTools ? [messages.length - 1] : [])];
  const history = messages.map((message, index) => {
    if (!ends.includes(index)) return message;
    return { ...message, content: markLast(message.content) };
  });
  return limitBreakpoints({ system: markLast(system), messages: history });
}
