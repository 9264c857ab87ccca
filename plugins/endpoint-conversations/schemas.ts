import { settingsProperties, summaryProperties, type Properties } from "@pergola/sdk";

const text = { type: "string" } as const;
const textOrNull = { type: ["string", "null"] } as const;
const flag = { type: "boolean" } as const;
const list = { type: "array", items: text } as const;

/** What can be said of a conversation when it is made and when it is changed. */
export const writableProperties: Properties = {
  title: { type: "string", minLength: 1 },
  model: textOrNull,
  systemPromptId: textOrNull,
  personalityId: textOrNull,
  folderId: { ...textOrNull, description: "Empty or null = in no folder" },
  topicId: { ...textOrNull, description: "Attaches to the topic and shares it; empty or null detaches" },
  workingDirectory: { ...textOrNull, description: "An absolute path; null = made by the service" },
  settings: { type: "object", properties: settingsProperties },
};

export const idParameter: Properties = { conversationId: { ...text, description: "UUID or alias" } };

export const detailProperties: Properties = {
  ...summaryProperties,
  alias: textOrNull,
  model: textOrNull,
  messages: { type: "array", items: { type: "object" } },
  settings: {
    type: "object",
    properties: settingsProperties,
    description: "A value that nobody set shows what is in force",
  },
  sessionId: { ...text, description: "The id again" },
  isFromAPI: flag,
  workingDirectory: textOrNull,
  enabledCustomInstructionIds: list,
  activeRunId: textOrNull,
  performanceMetrics: {
    type: ["object", "null"],
    description: "Figures of the newest run; null before the first",
  },
};
