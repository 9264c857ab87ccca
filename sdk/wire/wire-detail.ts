import { settingsProperties } from "./conversation-settings.ts";
import type { Conversation } from "../contract/conversation.ts";
import { pick } from "../util/pick.ts";
import type { Properties } from "../util/schema.ts";
import type { Services } from "../contract/services.ts";
import type { Topic } from "../contract/topics.ts";
import { messageSchema } from "./wire-message.ts";
import { wireMetrics } from "./wire-metrics.ts";
import { wireSettings } from "./wire-settings.ts";
import { flag, summaryProperties, text, textOrNull, wireSummary } from "./wire-summary.ts";

/** A conversation with everything but its messages. */
export async function wireDetail(
  conversation: Conversation,
  { conversations, runs, preferences, topics }: Services,
) {
  const { id, workingDirectory, workspace } = conversation;
  const [{ items, count }, topic] = await Promise.all([
    runs.list({ conversationId: id, limit: 1 }),
    topicOf(conversation, topics),
  ]);
  const shared = conversations.scopeOf(conversation) === id ? workspace : (topic?.workspace ?? null);
  return {
    ...wireSummary(conversation),
    ...pick(conversation, "alias", "model", "isFromAPI", "enabledCustomInstructionIds"),
    ...wireSettings(conversation, topic?.name, preferences),
    sessionId: id,
    // The keys that the Responses format has for a conversation.
    object: "conversation",
    created_at: Math.floor(Date.parse(conversation.created) / 1000),
    metadata: conversation.metadata ?? {},
    activeMessageId: conversation.activeMessageId ?? null,
    workingDirectory: workingDirectory ?? shared,
    activeRunId: conversations.activeRunId(id),
    performanceMetrics: wireMetrics(count, items[0]),
  };
}

async function topicOf({ topicId }: Conversation, topics: Services["topics"]): Promise<Topic | undefined> {
  if (topicId === null) return undefined;
  return topics?.find(topicId);
}

/** The fields of `wireDetail`, and the messages that some routes add. */
export const detailProperties: Properties = {
  ...summaryProperties,
  alias: textOrNull,
  model: textOrNull,
  messages: { type: "array", items: messageSchema },
  settings: {
    type: "object",
    properties: {
      ...settingsProperties,
      personalityId: { ...textOrNull, description: "selectedPersonalityId, for older clients" },
      system_prompt_id: { ...textOrNull, description: "selectedSystemPromptId, for older clients" },
      mini_prompt_ids: { type: "array", items: text, description: "enabledCustomInstructionIds" },
    },
    description: "null: nobody set it",
  },
  effective: { type: "object", description: "The settings in force, set or not; null: left to the model" },
  object: { const: "conversation", description: "As in the Responses format, with created_at and metadata" },
  created_at: { type: "integer", description: "Unix seconds" },
  metadata: { type: "object", description: "The client's own texts, by name" },
  sessionId: { ...text, description: "The id again" },
  activeMessageId: { ...textOrNull, description: "The last message of the active branch" },
  isFromAPI: flag,
  workingDirectory: textOrNull,
  enabledCustomInstructionIds: { type: "array", items: text },
  activeRunId: textOrNull,
  performanceMetrics: {
    type: ["object", "null"],
    description: "Figures of the newest run; null before the first",
  },
};
