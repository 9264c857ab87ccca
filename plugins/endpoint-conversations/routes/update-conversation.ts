import { defineRoute, detailProperties, wireDetail } from "@pergola/sdk";
import { readFields } from "../read-fields.ts";
import { changeableProperties, idParameter, writableProperties } from "../schemas.ts";

export const updateConversation = defineRoute({
  method: "PATCH",
  path: "/v1/conversations/{conversationId}",
  scope: "chat",
  summary: "Change a conversation; settings are merged key by key",
  params: idParameter,
  body: {
    type: "object",
    properties: { ...writableProperties, ...changeableProperties },
    examples: [{ title: "The garden", isPinned: true }],
  },
  response: {
    type: "object",
    properties: {
      success: { const: true },
      conversationId: { type: "string" },
      title: { type: "string" },
      folderId: { type: ["string", "null"] },
      conversation: { title: "Conversation", type: "object", properties: detailProperties },
    },
  },
  failures: ["conversation_busy", "conflict"],
  async handle({ params, body, caller }, services) {
    if (body.activeMessageId !== undefined)
      await services.conversations.chooseBranch(params.conversationId, body.activeMessageId);
    const changed = await services.conversations.update(params.conversationId, readFields(body), caller);
    const { id: conversationId, title, folderId } = changed;
    const conversation = await wireDetail(changed, services);
    return { body: { success: true, conversationId, title, folderId, conversation } };
  },
});
