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

/** The settings that a body gives; a key whose value is undefined takes the setting back. */
function readSettings({ settings, systemPromptId, personalityId }: ConversationBody) {
  const given: Readonly<Record<string, unknown>> = {
    ...settings,
    ...defined({ selectedSystemPromptId: systemPromptId, selectedPersonalityId: personalityId }),
  };
  const entries = Object.keys(settingsProperties)
    .filter((key) => given[key] !== undefined)
    .map((key) => {
      const isEmpty = given[key] === null || (given[key] === "" && references.has(key));
      return [key, isEmpty ? undefined : given[key]] as const;
    });
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as ConversationSettings);
}

/** The id, null for none, undefined when the body does not name the field. */
const readReference = (id: string | null | undefined) => (id === "" ? null : id);

/** The fields that a body gives, in the store's form. */
export function readFields(body: ConversationBody): ConversationFields {
  const { title, model, folderId, topicId, isPinned, workingDirectory, enabledCustomInstructionIds } = body;
  return defined({
    title,
    model,
    isPinned,
    workingDirectory,
    enabledCustomInstructionIds,
    folderId: readReference(folderId),
    topicId: readReference(topicId),
    settings: readSettings(body),
  });
}
