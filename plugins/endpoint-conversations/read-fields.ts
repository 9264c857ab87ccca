import { settingsProperties, type ConversationFields, type ConversationSettings } from "@pergola/sdk";

type OrNull<T> = { readonly [K in keyof T]: T[K] | null };

/** A body that makes or changes a conversation; null = not set. */
export interface ConversationBody {
  readonly id?: string;
  readonly title?: string;
  readonly model?: string | null;
  readonly systemPromptId?: string | null;
  readonly personalityId?: string | null;
  readonly topicId?: string | null;
  readonly folderId?: string | null;
  readonly isPinned?: boolean;
  readonly workingDirectory?: string | null;
  readonly enabledCustomInstructionIds?: readonly string[];
  readonly settings?: OrNull<ConversationSettings>;
}

/** What names something else; an empty text names nothing. The service knows what there is. */
const references: ReadonlySet<string> = new Set([
  "selectedSystemPromptId",
  "selectedPersonalityId",
  "sharedTopicId",
  "topicId",
  "folderId",
]);

/** The value to store; undefined for null. */
const storable = (key: string, value: unknown): unknown =>
  references.has(key) && value === "" ? undefined : (value ?? undefined);

/** The id that is meant, null for none, undefined when the body says nothing of it. */
const reference = (key: string, value: string | null | undefined): string | null | undefined =>
  value === undefined ? undefined : ((storable(key, value) as string | undefined) ?? null);

/** The settings that a body gives; a key whose value is undefined takes the setting back. */
function settingsOf({ settings, systemPromptId, personalityId }: ConversationBody): ConversationSettings {
  const named = { selectedSystemPromptId: systemPromptId, selectedPersonalityId: personalityId };
  const given: Readonly<Record<string, unknown>> = {
    ...settings,
    ...Object.fromEntries(Object.entries(named).filter(([, id]) => id !== undefined)),
  };
  const keys = Object.keys(settingsProperties).filter((key) => given[key] !== undefined);
  return Object.fromEntries(keys.map((key) => [key, storable(key, given[key])]));
}

/** The fields that a body gives, in the store's form. */
export function readFields(body: ConversationBody): ConversationFields {
  const { title, model, folderId, topicId, isPinned, workingDirectory, enabledCustomInstructionIds } = body;
  const settings = settingsOf(body);
  const fields = {
    title,
    model,
    isPinned,
    workingDirectory,
    enabledCustomInstructionIds,
    folderId: reference("folderId", folderId),
    topicId: reference("topicId", topicId),
    settings: Object.keys(settings).length === 0 ? undefined : settings,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
