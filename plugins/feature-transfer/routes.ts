import { defineEndpoints, defineRoute, detailProperties, wireDetail, type ServicesWith } from "@pergola/sdk";

type Available = ServicesWith<"transfer">;

export const exportConversation = defineRoute({
  method: "GET",
  path: "/v1/conversations/{conversationId}/export",
  scope: "read",
  summary: "A conversation with all that belongs to it, as a file",
  params: { conversationId: { type: "string", description: "UUID or alias" } },
  query: {
    format: {
      enum: ["json", "markdown"],
      default: "json",
      description: "json can be taken in again, markdown is for people",
    },
  },
  answers: {
    200: {
      "application/json": { type: "object", required: ["formatVersion", "conversation"] },
      "text/markdown": { type: "string" },
    },
  },
  failures: [],
  async handle({ params, query }, { transfer }: Available) {
    const { name, contentType, chunks } = await transfer.export(params.conversationId, query.format);
    return { headers: { "Content-Disposition": `attachment; filename="${name}"` }, chunks, contentType };
  },
});

const importedSchema = {
  type: "object",
  properties: {
    success: { const: true },
    conversationId: { type: "string" },
    imported: {
      type: "object",
      properties: { messages: { type: "integer" }, memories: { type: "integer" } },
    },
    warnings: { type: "array", items: { type: "string" } },
    conversation: { title: "Conversation", type: "object", properties: detailProperties },
  },
} as const;

export const importConversation = defineRoute({
  method: "POST",
  path: "/v1/conversations/import",
  scope: "chat",
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
  answers: { 201: { "application/json": importedSchema } },
  failures: ["id_taken", "conversation_busy"],
  async handle({ rawBody, query }, services: Available) {
    const { conversation, messages, memories, warnings } = await services.transfer.import(rawBody, query);
    return {
      status: 201,
      body: {
        success: true,
        conversationId: conversation.id,
        imported: { messages, memories },
        warnings,
        conversation: await wireDetail(conversation, services),
      },
    };
  },
});

export const transfer = defineEndpoints({
  group: "conversations",
  needs: "transfer",
  routes: [exportConversation, importConversation],
});
