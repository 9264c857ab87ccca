import { settingsProperties, type FromProperties } from "@pergola/sdk";

const textOrNull = { type: ["string", "null"] } as const;

/** Settings under the names of an older client. A client that sends back what it has read changes nothing. */
const olderNames = {
  personalityId: { hidden: true },
  system_prompt_id: { hidden: true },
  mini_prompt_ids: { hidden: true },
} as const;

/** The fields that a client can set, in a new conversation and in one that is there. */
export const writableProperties = {
  title: { type: "string", minLength: 1 },
  model: textOrNull,
  systemPromptId: textOrNull,
  personalityId: textOrNull,
  folderId: { ...textOrNull, description: "Empty or null = in no folder" },
  topicId: { ...textOrNull, description: "Attaches to the topic and shares it; empty or null detaches" },
  workingDirectory: { ...textOrNull, description: "An absolute path; null = made by the service" },
  settings: { type: "object", properties: { ...settingsProperties, ...olderNames } },
  metadata: {
    type: ["object", "null"],
    maxProperties: 16,
    additionalProperties: { type: "string", maxLength: 512 },
    description: "Texts of your own by name, in place of those there are",
  },
} as const;

/** The fields that only a conversation that is there takes. */
export const changeableProperties = {
  isPinned: { type: "boolean" },
  activeMessageId: { type: "string", description: "Choose the branch through this message" },
  enabledCustomInstructionIds: { type: "array", items: { type: "string" }, maxItems: 100 },
} as const;

export type ConversationBody = FromProperties<typeof writableProperties & typeof changeableProperties, never>;

export const idParameter = { conversationId: { type: "string", description: "UUID or alias" } } as const;
