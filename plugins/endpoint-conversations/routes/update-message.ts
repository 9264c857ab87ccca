import { defined, defineRoute, detailProperties, wireMessage } from "@pergola/sdk";
import { idParameter } from "../schemas.ts";

const messageSchema = detailProperties["messages"]?.items ?? {};

export const updateMessage = defineRoute({
  method: "PATCH",
  path: "/v1/conversations/{conversationId}/messages/{messageId}",
  scope: "chat",
  summary: "Pin a message, so that models go on seeing it, or say how important it is; during a run too",
  params: { ...idParameter, messageId: { type: "string", description: "UUID" } },
  body: {
    type: "object",
    properties: {
      isPinned: { type: "boolean", description: "Pinned messages stay in sight as far as they fit" },
      importance: {
        type: "number",
        minimum: 0,
        maximum: 1,
        description: "Of pinned messages, which stay when not all fit",
      },
    },
  },
  response: { type: "object", properties: { success: { const: true }, message: messageSchema } },
  failures: ["conflict"],
  async handle({ params, body: { isPinned, importance } }, { conversations }) {
    const changes = defined({ isPinned, importance });
    const message = await conversations.updateMessage(params.conversationId, params.messageId, changes);
    return { body: { success: true, message: wireMessage(message) } };
  },
});
