import { AppError, type Services } from "@pergola/sdk";

export interface Whose {
  readonly conversationId?: string;
  readonly topicId?: string;
}

/** Where no plugin keeps topics nobody can tell which there are. */
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
  { conversationId, topicId }: Whose,
  services: Services,
): Promise<string | undefined> {
  if (conversationId === undefined)
    return topicId === undefined ? undefined : scopeOfTopic(topicId, services);
  const { conversations } = services;
  if (topicId === undefined) return conversations.scopeOf(await conversations.get(conversationId));
  throw new AppError({
    code: "invalid_value",
    message: "Name a conversationId or a topicId, not both.",
    param: "topicId",
  });
}
