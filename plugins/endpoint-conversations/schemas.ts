import { summaryProperties, type Properties } from "@pergola/sdk";

const text = { type: "string" } as const;
const textOrNull = { type: ["string", "null"] } as const;
const flag = { type: "boolean" } as const;
const list = { type: "array", items: text } as const;

/** Every setting also takes null: nobody set it. */
const setting = (type: string, more: object = {}) => ({ type: [type, "null"], ...more });

export const settingsProperties: Properties = {
  selectedModel: setting("string"),
  temperature: setting("number", { minimum: 0, maximum: 2 }),
  topP: setting("number", { minimum: 0, maximum: 1 }),
  maxTokens: setting("integer", { minimum: 1 }),
  repetitionPenalty: setting("number"),
  contextWindowSize: setting("integer", { minimum: 1, description: "Tokens; null = the model's own" }),
  selectedSystemPromptId: setting("string"),
  selectedPersonalityId: setting("string"),
  enableReasoning: setting("boolean"),
  enableTools: setting("boolean"),
  thinkingEffort: { enum: ["low", "medium", "high", null] },
  useSharedData: setting("boolean", { description: "Share the topic's memory and files" }),
  sharedTopicId: setting("string", { description: "The topicId again; setting it leaves useSharedData as it is" }),
  sharedTopicName: setting("string", { description: "Its name now; cannot be set" }),
  sharedTopicAccess: { enum: ["read", "write", null], description: "What the conversation may do with the topic's memory and files" },
  toolOverrides: setting("object", { additionalProperties: flag, description: "Tool families switched on or off for this conversation" }),
  draftMessage: setting("string"),
  showAdvancedParameters: setting("boolean"),
  scrollLockEnabled: setting("boolean"),
};

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
  settings: { type: "object", properties: settingsProperties, description: "A value that nobody set shows what is in force" },
  sessionId: { ...text, description: "The id again" },
  isFromAPI: flag,
  workingDirectory: textOrNull,
  enabledCustomInstructionIds: list,
  activeRunId: textOrNull,
  performanceMetrics: { type: ["object", "null"], description: "Figures of the newest run; null before the first" },
};
