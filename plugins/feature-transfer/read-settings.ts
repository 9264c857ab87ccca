import { settingsProperties, type ConversationSettings } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import type { PackedConversation } from "./package-form.ts";

/**
 * What refers to something that may not be here is taken over where it is. Topics are attached by name, apart
 * from the settings.
 */
const elsewhere = [
  "useSharedData",
  "sharedTopicId",
  "sharedTopicName",
  "selectedSystemPromptId",
  "selectedPersonalityId",
];

export interface ReadSettings {
  readonly settings: ConversationSettings;
  readonly enabledCustomInstructionIds: readonly string[];
}

/** The settings of a packed conversation that count here; `warn` is told of each that does not. */
export async function readSettings(
  { compile, prompts }: Pick<Parts, "compile" | "prompts">,
  { settings = {}, enabledCustomInstructionIds = [] }: PackedConversation,
  warn: (text: string) => void,
): Promise<ReadSettings> {
  const given = settings as Readonly<Record<string, unknown>>;
  const read: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(settingsProperties)) {
    const value = given[key];
    if (value === undefined || value === null || elsewhere.includes(key)) continue;
    if (compile(schema)(value).length === 0) read[key] = value;
    else warn(`The setting ${key} has a value that does not fit; it was left out.`);
  }
  const { selectedSystemPromptId, selectedPersonalityId } = settings;
  const texts = [
    ["selectedSystemPromptId", "system prompt", selectedSystemPromptId, prompts?.system],
    ["selectedPersonalityId", "personality", selectedPersonalityId, prompts?.personalities],
  ] as const;
  for (const [key, what, id, library] of texts) {
    if (typeof id !== "string" || id === "") continue;
    if ((await library?.find(id)) !== undefined) read[key] = id;
    else warn(`There is no ${what} "${id}" here; the default is used.`);
  }
  const minis: string[] = [];
  for (const id of enabledCustomInstructionIds)
    if ((await prompts?.mini.find(id)) !== undefined) minis.push(id);
    else warn(`There is no mini prompt "${id}" here; it was left out.`);
  return { settings: read, enabledCustomInstructionIds: minis };
}
