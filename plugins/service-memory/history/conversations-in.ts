import type { Conversation } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";

/** The most conversations of a topic that are searched, those changed last first. */
const most = 500;

/** The conversations of a topic, this one among them; without a topic this one only. */
export async function conversationsIn(
  { conversations }: Parts,
  own: Conversation,
  topicOrOwnId: string,
): Promise<readonly string[]> {
  if (topicOrOwnId === own.id) return [own.id];
  const { items } = await conversations.list({
    topicId: topicOrOwnId,
    includeHidden: true,
    limit: most,
  });
  return [...new Set([own.id, ...items.map(({ id }) => id)])];
}
