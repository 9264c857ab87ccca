import {
  defined,
  settingsProperties,
  type ConversationFields,
  type ConversationSettings,
} from "@pergola/sdk";
import type { ConversationBody } from "./schemas.ts";

/** Settings that name something else; an empty text names nothing. The service knows what there is. */
const references: ReadonlySet<string> = new Set([
  "selectedSystemPromptId",
  "selectedPersonalityId",
  "sharedTopicId",
]);

function valueOf(key: string, value: unknown): unknown {
  if (value === null || (value === "" && references.has(key))) return undefined;
  return value;
}

/** The settings that a body gives; a key whose value is undefined resets the setting. */
function readSettings({ settings, systemPromptId, personalityId }: ConversationBody) {
  const values: Readonly<Record<string, unknown>> = {
    ...settings,
    ...defined({ selectedSystemPromptId: systemPromptId, selectedPersonalityId: personalityId }),
  };
  const keys = Object.keys(settingsProperties).filter((key) => values[key] !== undefined);
  if (keys.length === 0) return undefined;
  return Object.fromEntries(keys.map((key) => [key, valueOf(key, values[key])])) as ConversationSettings;
}

/** The id, null for none, undefined when the body does not name the field. */
function readReference(id: string | null | undefined) {
  if (id === "") return null;
  return id;
}

/** The fields that a body gives, in the store's form. */
export function readFields(body: ConversationBody): ConversationFields {
  const { title, model, folderId, topicId, isPinned, workingDirectory, enabledCustomInstructionIds } = body;
  const { metadata } = body;
  return defined({
    title,
    model,
    isPinned,
    workingDirectory,
    enabledCustomInstructionIds,
    metadata: metadata === null ? {} : metadata,
    folderId: readReference(folderId),
    topicId: readReference(topicId),
    settings: readSettings(body),
  });
}
