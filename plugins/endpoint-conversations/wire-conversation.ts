import type { Conversation, Services } from "@pergola/sdk";
import { wireMetrics } from "./wire-metrics.ts";
import { wireSettings } from "./wire-settings.ts";

export const wireSummary = ({ id, title, messageCount, created, updated, folderId, topicId, isPinned, hidden }: Conversation) => ({
  id,
  title,
  messageCount,
  created,
  updated,
  folderId,
  topicId,
  isPinned,
  hidden,
});

/** A conversation with everything but its messages. */
export async function wireDetail(conversation: Conversation, { conversations, runs, preferences }: Services) {
  const { id, alias, model, isFromAPI, workingDirectory, workspace, enabledCustomInstructionIds } = conversation;
  const { items, count } = await runs.list({ conversationId: id, limit: 1 });
  return {
    ...wireSummary(conversation),
    alias,
    model,
    settings: wireSettings(conversation, preferences),
    sessionId: id,
    isFromAPI,
    workingDirectory: workingDirectory ?? workspace,
    enabledCustomInstructionIds,
    activeRunId: conversations.activeRunId(id),
    performanceMetrics: wireMetrics(count, items[0]),
  };
}
