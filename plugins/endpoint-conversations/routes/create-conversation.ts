import { AppError, defined, defineRoute, detailProperties, wireDetail } from "@pergola/sdk";
import { readFields } from "../read-fields.ts";
import { writableProperties } from "../schemas.ts";

const noItems =
  "items are not taken here. Make the conversation, then POST them to /v1/conversations/{id}/items.";

export const createConversation = defineRoute({
  method: "POST",
  path: "/v1/conversations",
  scope: "chat",
  summary: "Make a conversation",
  body: {
    type: "object",
    examples: [{ title: "A plan for the garden", workingDirectory: "/home/ada/garden" }],
    properties: {
      id: { type: "string", description: "UUID or alias; without it, a new UUID" },
      hidden: {
        type: "boolean",
        default: false,
        description: "Left out of lists, search and events until a run begins in it",
      },
      items: {
        type: ["array", "null"],
        items: { type: "object" },
        description:
          "None are taken here: add them with POST /v1/conversations/{conversationId}/items once it is made",
      },
      ...writableProperties,
    },
  },
  answers: {
    201: { "application/json": { title: "Conversation", type: "object", properties: detailProperties } },
  },
  failures: ["not_found", "id_taken"],
  async handle({ body, caller }, services) {
    const { id, hidden, items } = body;
    if (items && items.length > 0)
      throw new AppError({ code: "invalid_value", message: noItems, param: "items" });
    const fields = { ...defined({ id: id || undefined, hidden }), ...readFields(body) };
    const conversation = await services.conversations.create(fields, caller);
    return { status: 201, body: { ...(await wireDetail(conversation, services)), messages: [] } };
  },
});
