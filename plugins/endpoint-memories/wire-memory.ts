import type { MemoryItem, MemoryService } from "@pergola/sdk";

/** Memories as clients see them, each with the message that it comes from. */
export async function wireMemories(memory: MemoryService, items: readonly MemoryItem[]) {
  const messages = await memory.sources(items);
  return items.map(({ scope: scopeId, ...item }) => ({
    ...item,
    scopeId,
    source: messages.get(item.id) ?? conversationOf(item),
  }));
}

/** Of what was stored by hand, and where the message is gone. */
function conversationOf({ source, createdAt: at }: Pick<MemoryItem, "source" | "createdAt">) {
  if (source === null) return null;
  return { conversationId: source.conversationId, messageId: null, at };
}

/** One of them. */
export async function wireMemory(memory: MemoryService, item: MemoryItem) {
  const [wired] = await wireMemories(memory, [item]);
  return wired!;
}
