import type { Properties } from "@pergola/sdk";
import type { Topic, TopicService } from "@pergola/sdk/host";

const text = { type: "string" } as const;
const time = { ...text, format: "date-time" } as const;

export const topicProperties: Properties = {
  id: { ...text, description: "UUID" },
  name: text,
  description: text,
  created_at: time,
  updated_at: time,
  conversation_count: { type: "integer", description: "Conversations attached" },
};

/** A topic as clients see it. */
export async function wireTopic(topic: Topic, topics: Pick<TopicService, "conversationCount">) {
  const { id, name, description, createdAt, updatedAt } = topic;
  const conversationCount = await topics.conversationCount(id);
  return {
    id,
    name,
    description,
    created_at: createdAt,
    updated_at: updatedAt,
    conversation_count: conversationCount,
  };
}
