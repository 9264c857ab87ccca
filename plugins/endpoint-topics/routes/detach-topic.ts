import type { Route } from "@pergola/sdk";
import { attachmentSchema, conversationParameter } from "../schemas.ts";
import { topicsOf } from "../topics-of.ts";

export const detachTopic: Route = {
  method: "POST",
  path: "/v1/conversations/{conversationId}/detach-topic",
  summary: "Detach a conversation from its topic; what was kept in the topic stays there",
  params: conversationParameter,
  response: attachmentSchema,
  async handle({ params, caller }, services) {
    topicsOf(services);
    const { id: conversationId } = await services.conversations.update(
      params["conversationId"] ?? "",
      { topicId: null },
      caller,
    );
    return { body: { success: true, conversationId, topicId: null } };
  },
};
