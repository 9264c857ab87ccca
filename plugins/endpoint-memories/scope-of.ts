import { AppError, type Services } from "@pergola/sdk";

/** The scope of a topic. Whether the topic exists is checked where a plugin brings topics. */
async function scopeOfTopic(topicId: string, { topics }: Pick<Services, "topics">): Promise<string> {
  const id = topicId.toLowerCase();
  await topics?.get(id);
  return id;
}

/**
 * The scope that is asked for: the topic's, or the one in which the conversation remembers now; undefined
 * when all are. Rejects with `not_found` for a conversation or topic that there is not, and with
 * `invalid_value` when both are named.
 */
export async function scopeOf(
  { conversationId, topicId }: { readonly conversationId?: string; readonly topicId?: string },
  services: Services,
): Promise<string | undefined> {
  const { conversations } = services;
  if (conversationId !== undefined && topicId !== undefined)
    throw new AppError({
      code: "invalid_value",
      message: "Name a conversationId or a topicId, not both.",
      param: "topicId",
    });
  if (topicId !== undefined) return scopeOfTopic(topicId, services);
  if (conversationId === undefined) return undefined;
  return conversations.scopeOf(await conversations.get(conversationId));
}
