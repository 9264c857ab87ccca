import { defineRoute } from "@pergola/sdk";
import { idParameter } from "../schemas.ts";

export const deleteConversation = defineRoute({
  method: "DELETE",
  path: "/v1/conversations/{conversationId}",
  scope: "chat",
  summary: "Delete a conversation and what belongs to it; its run is cancelled first",
  params: idParameter,
  query: {
    deleteFiles: { type: "boolean", default: false, description: "The folder that was made for it, too" },
  },
  response: {
    type: "object",
    properties: {
      success: { const: true },
      conversationId: { type: "string" },
      id: { type: "string" },
      object: { const: "conversation.deleted" },
      deleted: { const: true },
    },
  },
  failures: [],
  async handle({ params, query: { deleteFiles } }, { conversations }) {
    const conversationId = conversations.idOf(params.conversationId);
    await conversations.delete(conversationId, { deleteFiles });
    const inItsFormat = { id: conversationId, object: "conversation.deleted", deleted: true };
    return { body: { success: true, conversationId, ...inItsFormat } };
  },
});
