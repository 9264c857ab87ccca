import { wireMessage, type Route } from "@pergola/sdk";
import { detailChunks, firstPage, pageSize } from "../message-chunks.ts";
import { detailProperties, idParameter } from "../schemas.ts";
import { wireDetail } from "../wire-conversation.ts";

export const getConversation: Route = {
  method: "GET",
  path: "/v1/conversations/{conversationId}",
  summary: "Show a conversation with its messages",
  params: idParameter,
  query: { messages: { type: "boolean", default: true, description: "false leaves the messages out" } },
  response: { type: "object", properties: detailProperties },
  async handle({ params, query }, services) {
    const conversation = await services.conversations.get(params["conversationId"] ?? "");
    const detail = await wireDetail(conversation, services);
    if (query["messages"] === false) return { body: detail };
    const first = await firstPage(services.conversations, conversation.id);
    if (first.length < pageSize) return { body: { ...detail, messages: first.map(wireMessage) } };
    const chunks = detailChunks(detail, services.conversations, conversation.id, first);
    return { chunks, contentType: "application/json; charset=utf-8" };
  },
};
