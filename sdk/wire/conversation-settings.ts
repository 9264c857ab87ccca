import { flag } from "./wire-summary.ts";
import type { Properties } from "../util/schema.ts";

/** Every setting also takes null: nobody set it. */
const setting = <const T extends string, const M extends object>(type: T, more?: M) =>
  ({ type: [type, "null"], ...more }) as { readonly type: readonly [T, "null"] } & M;

/** The settings of a conversation, as bodies give them. */
export const settingsProperties = {
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
  sharedTopicId: setting("string", {
    description: "The topicId again; setting it leaves useSharedData as it is",
  }),
  sharedTopicName: setting("string", { description: "Its name now; cannot be set" }),
  sharedTopicAccess: {
    enum: ["read", "write", null],
    description: "What the conversation may do with the topic's memory and files",
  },
  toolOverrides: setting("object", {
    additionalProperties: flag,
    description: "Tool families switched on or off for this conversation",
  }),
  draftMessage: setting("string"),
  showAdvancedParameters: setting("boolean"),
  scrollLockEnabled: setting("boolean"),
} as const satisfies Properties;
