import type { Conversation, ConversationSettings } from "../contract/conversation.ts";
import type { PreferenceService } from "../contract/preferences.ts";

/** Effective values where neither a person nor a preference set one. */
const defaults = {
  temperature: 0.7,
  topP: 1,
  maxTokens: 2000,
  repetitionPenalty: 1,
  contextWindowSize: null,
  enableReasoning: true,
  enableTools: true,
  thinkingEffort: "high",
  useSharedData: false,
  sharedTopicId: null,
  sharedTopicName: null,
  sharedTopicAccess: "write",
  toolOverrides: {},
  draftMessage: "",
  showAdvancedParameters: false,
  scrollLockEnabled: false,
} as const satisfies ConversationSettings;

/**
 * Settings in force, set or not; what is set stays apart in the store. The last three names are those of an
 * older client.
 */
export function wireSettings(
  { settings, model, enabledCustomInstructionIds }: Conversation,
  sharedTopicName: string | undefined,
  preferences: Pick<PreferenceService, "get">,
) {
  const set = Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined && value !== null),
  );
  const chosen = {
    selectedModel: model ?? preferences.get<string>("default_model"),
    selectedSystemPromptId: preferences.get<string>("default_system_prompt_id"),
    selectedPersonalityId: preferences.get<string>("default_personality_id"),
  };
  const inForce: ConversationSettings = {
    ...defaults,
    ...chosen,
    ...set,
    sharedTopicName: sharedTopicName ?? null,
  };
  return {
    ...inForce,
    personalityId: inForce.selectedPersonalityId,
    system_prompt_id: inForce.selectedSystemPromptId,
    mini_prompt_ids: enabledCustomInstructionIds,
  };
}
