import { AppError, type MemoryScope, type Services } from "@pergola/sdk";

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

/**
 * The scope in which to remember something by hand, and the conversation that it comes from, if one is named.
 * Rejects as `scopeOf` does, with `missing_field` when neither is named, and with `not_found` for a topic
 * where no plugin brings topics.
 */
export async function scopeToStoreIn(
  named: { readonly conversationId?: string; readonly topicId?: string },
  services: Services,
): Promise<MemoryScope & { readonly conversationId?: string }> {
  const scope = await scopeOf(named, services);
  if (scope === undefined)
    throw new AppError({
      code: "missing_field",
      message: "Name the conversationId or the topicId that is to remember it.",
      param: "conversationId",
    });
  if (named.conversationId === undefined) return topicScope(scope, services);
  const conversationId = services.conversations.idOf(named.conversationId);
  return { scope, scopeKind: scope === conversationId ? "conversation" : "topic", conversationId };
}

function topicScope(scope: string, { topics }: Services): MemoryScope {
  if (topics !== undefined) return { scope, scopeKind: "topic" };
  throw new AppError({
    code: "not_found",
    message: "There are no topics, for no plugin that keeps them is installed. Name a conversationId.",
    param: "topicId",
  });
}
