import type { Conversation, ConversationSettings } from "../contract/conversation.ts";
import type { PreferenceService } from "../contract/preferences.ts";

/** What is in force where neither a person nor a preference set a value; null leaves it to the model. */
const defaults = {
  temperature: 0.7,
  topP: 1,
  maxTokens: 2000,
  repetitionPenalty: 1,
  contextWindowSize: null,
  enableReasoning: null,
  enableTools: true,
  thinkingEffort: null,
  useSharedData: false,
  sharedTopicId: null,
  sharedTopicName: null,
  sharedTopicAccess: "write",
  toolOverrides: {},
  draftMessage: "",
  showAdvancedParameters: false,
  scrollLockEnabled: false,
} as const;

const names = ["selectedModel", "selectedSystemPromptId", "selectedPersonalityId"] as const;

/** Both are what a conversation does, and no wish that a client could pass on by accident. */
const always = { enableTools: true, useSharedData: false } as const;

type WireSettings = Readonly<Record<keyof typeof defaults | (typeof names)[number], unknown>>;

const unset = Object.fromEntries([...Object.keys(defaults), ...names].map((key) => [key, null]));

/** The names of an older client for three of the settings. */
const withOlderNames = (settings: WireSettings, miniPromptIds: readonly string[]) => ({
  ...settings,
  personalityId: settings.selectedPersonalityId,
  system_prompt_id: settings.selectedSystemPromptId,
  mini_prompt_ids: miniPromptIds,
});

/**
 * The settings that somebody set, null for all others, and beside them what is in force. A client that sends
 * `settings` back changes nothing.
 */
export function wireSettings(
  { settings, model, enabledCustomInstructionIds: miniPromptIds }: Conversation,
  sharedTopicName: string | undefined,
  preferences: Pick<PreferenceService, "get">,
) {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined && value !== null);
  const set: Partial<ConversationSettings> = {
    ...(model !== null && { selectedModel: model }),
    ...Object.fromEntries(given),
    sharedTopicName: sharedTopicName ?? null,
  };
  const preferred = {
    selectedModel: preferences.get<string>("default_model"),
    selectedSystemPromptId: preferences.get<string>("default_system_prompt_id"),
    selectedPersonalityId: preferences.get<string>("default_personality_id"),
  };
  return {
    settings: withOlderNames({ ...unset, ...always, ...set } as WireSettings, miniPromptIds),
    effective: { ...defaults, ...preferred, ...set } satisfies WireSettings,
  };
}
