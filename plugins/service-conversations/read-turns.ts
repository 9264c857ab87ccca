import type { Collection, Conversation, Message } from "@pergola/sdk";
import type { StoredTurns } from "./merge-request.ts";

/** Visible messages read beyond those that a request brings. */
const margin = 20;

/** Enough of the visible messages of a conversation to merge so many turns into them. */
export async function readTurns(
  messages: Collection<Message>,
  { id, nextSeq }: Conversation,
  count: number,
): Promise<StoredTurns> {
  if (nextSeq === 1) return { first: [], last: [] };
  const visible = { conversationId: id, visible: true };
  const limit = count + margin;
  const last = (await messages.find(visible, { order: "-seq", limit })).toReversed();
  if (last.length < limit) return { first: last, last };
  if (count === 1) return { first: [], last };
  const first = await messages.find(visible, { order: "seq", limit });
  return { first, last };
}
