import type { Route } from "@pergola/sdk";
import { readFields, type ConversationBody } from "../read-fields.ts";
import { detailProperties, writableProperties } from "../schemas.ts";
import { wireDetail } from "../wire-conversation.ts";

export const createConversation: Route = {
  method: "POST",
  path: "/v1/conversations",
  summary: "Make a conversation",
  body: {
    type: "object",
    properties: {
      id: { type: "string", description: "UUID or alias; without it, a new UUID" },
      ...writableProperties,
    },
  },
  response: { type: "object", properties: detailProperties },
  async handle({ body, caller }, services) {
    const given = body as ConversationBody;
    const id = given.id === undefined || given.id === "" ? {} : { id: given.id };
    const made = await services.conversations.create({ ...id, ...readFields(given) }, caller);
    return { status: 201, body: { ...(await wireDetail(made, services)), messages: [] } };
  },
};
