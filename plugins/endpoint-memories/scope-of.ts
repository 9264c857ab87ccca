import { AppError, type Services } from "@pergola/sdk";

export interface Whose {
  readonly conversationId?: string;
  readonly topicId?: string;
}

/**
 * The scope that is asked for: the topic's, or the one in which the conversation remembers now; undefined when all are. Rejects with
 * `not_found` for a conversation that there is not, and with `invalid_value` when both are named.
 */
export async function scopeOf({ conversationId, topicId }: Whose, { conversations }: Services): Promise<string | undefined> {
  if (conversationId === undefined) return topicId?.toLowerCase();
  if (topicId === undefined) return conversations.scopeOf(await conversations.get(conversationId));
  throw new AppError({ code: "invalid_value", message: "Name a conversationId or a topicId, not both.", param: "topicId" });
}
