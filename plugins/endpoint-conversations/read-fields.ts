import {
  AppError,
  builtInId,
  builtInPersonalityIds,
  builtInPromptIds,
  settingsProperties,
  type ConversationFields,
  type ConversationSettings,
} from "@pergola/sdk";

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

/** What can be referred to: the texts that are always there. Topics, folders and further texts come with plugins of their own. */
const references: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  selectedSystemPromptId: builtInPromptIds,
  selectedPersonalityId: builtInPersonalityIds,
  sharedTopicId: {},
  topicId: {},
  folderId: {},
};

/** The value to store; undefined for null. A reference becomes the id that is meant, or throws AppError `not_found`. */
function storable(key: string, value: unknown): unknown {
  const table = references[key];
  if (table === undefined || typeof value !== "string") return value ?? undefined;
  const id = value === "" ? undefined : builtInId(table, value);
  if (id === undefined && value !== "")
    throw new AppError({ code: "not_found", message: `Nothing has the ${key} "${value}".`, param: key });
  return id;
}

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

/** The fields that a body gives, in the store's form. Throws AppError `not_found` for what it refers to and nobody knows. */
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
