import type { Route } from "@pergola/sdk";
import { readFields, type ConversationBody } from "../read-fields.ts";
import { detailProperties, idParameter, writableProperties } from "../schemas.ts";
import { wireDetail } from "../wire-conversation.ts";

export const updateConversation: Route = {
  method: "PATCH",
  path: "/v1/conversations/{conversationId}",
  summary: "Change a conversation; settings are merged key by key",
  params: idParameter,
  body: {
    type: "object",
    properties: {
      ...writableProperties,
      isPinned: { type: "boolean" },
      enabledCustomInstructionIds: { type: "array", items: { type: "string" }, maxItems: 100 },
    },
  },
  response: {
    type: "object",
    properties: {
      success: { const: true },
      conversationId: { type: "string" },
      title: { type: "string" },
      folderId: { type: ["string", "null"] },
      conversation: { type: "object", properties: detailProperties },
    },
  },
  async handle({ params, body, caller }, services) {
    const fields = readFields(body as ConversationBody);
    const changed = await services.conversations.update(params["conversationId"] ?? "", fields, caller);
    const { id: conversationId, title, folderId } = changed;
    return {
      body: {
        success: true,
        conversationId,
        title,
        folderId,
        conversation: await wireDetail(changed, services),
      },
    };
  },
};
