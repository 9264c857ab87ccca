import { wireSummary, type Conversation, type Services, type Topic } from "@pergola/sdk";
import { wireMetrics } from "./wire-metrics.ts";
import { wireSettings } from "./wire-settings.ts";

/** A conversation with everything but its messages. */
export async function wireDetail(
  conversation: Conversation,
  { conversations, runs, preferences, topics }: Services,
) {
  const { id, alias, model, isFromAPI, workingDirectory, workspace, enabledCustomInstructionIds } =
    conversation;
  const [{ items, count }, topic] = await Promise.all([
    runs.list({ conversationId: id, limit: 1 }),
    topicOf(conversation, topics),
  ]);
  const shared = conversations.scopeOf(conversation) === id ? workspace : (topic?.workspace ?? null);
  return {
    ...wireSummary(conversation),
    alias,
    model,
    settings: wireSettings(conversation, topic?.name, preferences),
    sessionId: id,
    isFromAPI,
    workingDirectory: workingDirectory ?? shared,
    enabledCustomInstructionIds,
    activeRunId: conversations.activeRunId(id),
    performanceMetrics: wireMetrics(count, items[0]),
  };
}

const topicOf = async ({ topicId }: Conversation, topics: Services["topics"]): Promise<Topic | undefined> =>
  topicId === null ? undefined : topics?.find(topicId);
