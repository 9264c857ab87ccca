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
  const { id, name, description } = topic;
  return {
    id,
    name,
    description,
    created_at: topic.createdAt,
    updated_at: topic.updatedAt,
    conversation_count: await topics.conversationCount(id),
  };
}
