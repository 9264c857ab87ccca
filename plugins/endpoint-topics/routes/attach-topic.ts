import { AppError, type Route, type Topic } from "@pergola/sdk";
import type { TopicAccess, TopicService } from "@pergola/sdk/host";
import { attachmentSchema, conversationParameter } from "../schemas.ts";
import { topicsOf } from "../topics-of.ts";

interface AttachBody {
  readonly topicId?: string;
  readonly topic?: string;
  readonly access?: TopicAccess;
}

/** The topic that a body names, by id or by name. */
async function topicIn({ topicId, topic: name }: AttachBody, topics: TopicService): Promise<Topic> {
  if (topicId !== undefined) return topics.get(topicId);
  if (name === undefined)
    throw new AppError({ code: "missing_field", message: "topicId is missing.", param: "topicId" });
  const found = await topics.named(name);
  if (found === undefined)
    throw new AppError({ code: "not_found", message: `There is no topic "${name}".`, param: "topic" });
  return found;
}

export const attachTopic: Route = {
  method: "POST",
  path: "/v1/conversations/{conversationId}/attach-topic",
  summary: "Attach a conversation to a topic, with sharing on",
  params: conversationParameter,
  body: {
    type: "object",
    properties: {
      topicId: { type: "string", description: "Required unless there is a topic" },
      topic: { type: "string", description: "Its name" },
      access: {
        enum: ["read", "write"],
        description:
          "What the conversation may do with the topic's memory and files; write, or for the topic that it has already as it was",
      },
    },
  },
  response: attachmentSchema,
  async handle({ params, body, caller }, services) {
    const { access, ...named } = body as AttachBody;
    const { id: conversationId } = await services.conversations.get(params["conversationId"] ?? "");
    const { id: topicId } = await topicIn(named, topicsOf(services));
    const settings = { useSharedData: true, ...(access && { sharedTopicAccess: access }) };
    await services.conversations.update(conversationId, { topicId, settings }, caller);
    return { body: { success: true, conversationId, topicId } };
  },
};
