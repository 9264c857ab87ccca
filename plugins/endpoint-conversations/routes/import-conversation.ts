import type { ImportOptions, Route } from "@pergola/sdk";
import { detailProperties } from "../schemas.ts";
import { transferOf } from "../transfer-of.ts";
import { wireDetail } from "../wire-conversation.ts";

export const importConversation: Route = {
  method: "POST",
  path: "/v1/conversations/import",
  summary: "Take in an exported conversation, all of it or nothing",
  query: {
    onConflict: {
      enum: ["new_id", "replace", "fail"],
      default: "new_id",
      description: "Where a conversation with its id is here already",
    },
  },
  body: {
    type: "object",
    required: ["formatVersion", "conversation"],
    properties: { formatVersion: { type: "string" }, conversation: { type: "object" } },
  },
  response: {
    type: "object",
    properties: {
      success: { const: true },
      conversationId: { type: "string" },
      imported: {
        type: "object",
        properties: { messages: { type: "integer" }, memories: { type: "integer" } },
      },
      warnings: { type: "array", items: { type: "string" } },
      conversation: { type: "object", properties: detailProperties },
    },
  },
  async handle({ rawBody, query }, services) {
    const onConflict = (query["onConflict"] ?? "new_id") as ImportOptions["onConflict"];
    const { conversation, messages, memories, warnings } = await transferOf(services).import(rawBody, {
      onConflict,
    });
    const detail = await wireDetail(conversation, services);
    return {
      status: 201,
      body: {
        success: true,
        conversationId: conversation.id,
        imported: { messages, memories },
        warnings,
        conversation: detail,
      },
    };
  },
};
