import { defineRoute, detailProperties, wireDetail, wireMessage } from "@pergola/sdk";
import { detailChunks, firstPage, pageSize } from "../message-chunks.ts";
import { idParameter } from "../schemas.ts";

export const getConversation = defineRoute({
  method: "GET",
  path: "/v1/conversations/{conversationId}",
  summary: "Show a conversation with its messages",
  params: idParameter,
  query: { messages: { type: "boolean", default: true, description: "false leaves the messages out" } },
  response: { type: "object", properties: detailProperties },
  async handle({ params, query }, services) {
    const conversation = await services.conversations.get(params.conversationId);
    const detail = await wireDetail(conversation, services);
    if (!query.messages) return { body: detail };
    const first = await firstPage(services.conversations, conversation.id);
    if (first.length < pageSize) return { body: { ...detail, messages: first.map(wireMessage) } };
    const chunks = detailChunks(detail, services.conversations, conversation.id, first);
    return { chunks, contentType: "application/json; charset=utf-8" };
  },
});
