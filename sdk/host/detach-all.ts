import type { Write } from "../contract/storage.ts";
import type { ConversationKeeper } from "./keepers.ts";
import type { Parts } from "./parts.ts";

/** Conversations that are detached in one commit. */
const batchSize = 500;

/**
 * Takes all conversations out of a topic or a folder. The last of them leave it in one commit with `removal`,
 * the writes that remove it.
 */
export async function detachAll(
  { conversations, stores }: Pick<Parts, "conversations" | "stores">,
  from: Parameters<ConversationKeeper["detachWrites"]>[0],
  removal: readonly Write[],
): Promise<void> {
  let detached = await conversations.detachWrites(from, batchSize);
  while (detached.length >= batchSize) {
    await stores.commit(detached);
    detached = await conversations.detachWrites(from, batchSize);
  }
  await stores.commit([...detached, ...removal]);
}
