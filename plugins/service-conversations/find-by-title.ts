import { setImmediate } from "node:timers/promises";
import { defined, type Collection, type Conversation, type Filter } from "@pergola/sdk";

/** Conversations read at a time: few enough that no stream waits long. */
const pageSize = 200;

/**
 * The conversations whose title contains a text in any case, newest first. All are read, page by page, and
 * oldest first: one that is updated meanwhile comes again, and none is missed.
 */
export async function findByTitle(
  conversations: Collection<Conversation>,
  filter: Filter<Conversation>,
  text: string,
): Promise<readonly Conversation[]> {
  const wanted = text.toLowerCase();
  const found = new Map<string, Conversation>();
  for (let after: Conversation | undefined; ; await setImmediate()) {
    const options = defined({ order: "updated" as const, limit: pageSize, after });
    const page: readonly Conversation[] = await conversations.find(filter, options);
    for (const conversation of page) {
      found.delete(conversation.id);
      if (conversation.title.toLowerCase().includes(wanted)) found.set(conversation.id, conversation);
    }
    after = page.at(-1);
    if (page.length < pageSize) return [...found.values()].reverse();
  }
}
