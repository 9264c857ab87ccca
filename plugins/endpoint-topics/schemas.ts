import type { JsonSchema, Properties } from "@pergola/sdk";

export const topicParameter: Properties = { topicId: { type: "string", description: "UUID" } };

export const conversationParameter: Properties = {
  conversationId: { type: "string", description: "UUID or alias" },
};

/** Of lists in answers and in parts of them. */
export const pageProperties: Properties = {
  limit: { type: "integer", minimum: 1, maximum: 1000, description: "Without it, all" },
  offset: { type: "integer", minimum: 0, default: 0 },
};

export const attachmentSchema: JsonSchema = {
  type: "object",
  properties: {
    success: { const: true },
    conversationId: { type: "string" },
    topicId: { type: ["string", "null"] },
  },
};
