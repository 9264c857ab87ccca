import type { ChatMessage } from "../contract/provider.ts";

/** The last user message's place in a list, where the context block goes. −1 when there is none. */
export const lastUserIndex = (messages: readonly ChatMessage[]): number =>
  messages.findLastIndex(({ role }) => role === "user");
