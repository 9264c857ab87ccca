import {
  AppError,
  defined,
  type Conversation,
  type ConversationFields,
  type ConversationSettings,
  type RunRequest,
} from "@pergola/sdk";
import { builtInId, builtInPersonalityIds, builtInPromptIds, type Parts } from "@pergola/sdk/host";

type TextSettings = Pick<ConversationSettings, "selectedSystemPromptId" | "selectedPersonalityId">;
const texts = ["selectedSystemPromptId", "selectedPersonalityId"] as const;
type Now = Pick<Conversation, "settings" | "enabledCustomInstructionIds">;

interface Finder {
  find(idOrName: string): Promise<{ readonly id: string } | undefined>;
}

/** Where no plugin keeps texts there is one of a kind, or none. */
const only = (id?: string): Finder => ({
  find: async (idOrName) => {
    if (id !== undefined && builtInId({ default: id }, idOrName) === id) return { id };
    return undefined;
  },
});

const kinds = {
  selectedSystemPromptId: {
    noun: "system prompt",
    in: ({ prompts }: Parts): Finder => prompts?.system ?? only(builtInPromptIds.default),
  },
  selectedPersonalityId: {
    noun: "personality",
    in: ({ prompts }: Parts): Finder => prompts?.personalities ?? only(builtInPersonalityIds.default),
  },
  enabledCustomInstructionIds: {
    noun: "mini prompt",
    in: ({ prompts }: Parts): Finder => prompts?.mini ?? only(),
  },
} as const;

/**
 * The id behind an id or a name. A text that the conversation already names may be gone. Rejects with
 * `not_found`, naming the field.
 */
async function idOf(
  parts: Parts,
  field: keyof typeof kinds,
  idOrName: string,
  known: readonly (string | undefined)[],
): Promise<string> {
  const kind = kinds[field];
  const found = await kind.in(parts).find(idOrName);
  if (found !== undefined) return found.id;
  if (known.includes(idOrName)) return idOrName;
  throw new AppError({
    code: "not_found",
    message: `There is no ${kind.noun} "${idOrName.slice(0, 200)}".`,
    param: field,
  });
}

/**
 * Fields with the ids of the prompts and the personality that they name; an empty name means none. Rejects
 * with `not_found`.
 */
export async function withTextIds(
  parts: Parts,
  fields: ConversationFields,
  now?: () => Promise<Now>,
): Promise<ConversationFields> {
  const { settings = {}, enabledCustomInstructionIds: mini } = fields;
  const present = texts.filter((key) => settings[key] !== undefined);
  if (present.length === 0 && mini === undefined) return fields;
  const before = await now?.();
  const ids: { -readonly [K in keyof TextSettings]: string | undefined } = {};
  for (const key of present) {
    const value = settings[key];
    if (value) ids[key] = await idOf(parts, key, value, [before?.settings[key]]);
    else ids[key] = undefined;
  }
  return {
    ...fields,
    ...(fields.settings && { settings: { ...settings, ...(ids as TextSettings) } }),
    ...(mini && { enabledCustomInstructionIds: await miniIds(parts, mini, before) }),
  };
}

/** The prompts, the personality and the mini prompts that a request names, as far as they are known. */
export async function requestedTexts(
  parts: Parts,
  { systemPromptId, personalityId, customInstructions }: RunRequest,
): Promise<ConversationFields> {
  const find = async (field: keyof typeof kinds, given: string | undefined) => {
    if (given === undefined || given.trim() === "") return undefined;
    return (await kinds[field].in(parts).find(given))?.id;
  };
  const [prompt, personality, ...found] = await Promise.all([
    find("selectedSystemPromptId", systemPromptId),
    find("selectedPersonalityId", personalityId),
    ...customInstructions.map((name) => find("enabledCustomInstructionIds", name)),
  ]);
  const mini = [...new Set(found.filter((id) => id !== undefined))];
  return {
    settings: defined({ selectedSystemPromptId: prompt, selectedPersonalityId: personality }),
    ...(mini.length > 0 && { enabledCustomInstructionIds: mini }),
  };
}

async function miniIds(
  parts: Parts,
  idsOrNames: readonly string[],
  before: Now | undefined,
): Promise<readonly string[]> {
  const known = before?.enabledCustomInstructionIds ?? [];
  const ids = idsOrNames.map((id) => idOf(parts, "enabledCustomInstructionIds", id, known));
  return [...new Set(await Promise.all(ids))];
}
