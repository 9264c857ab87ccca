import {
  AppError,
  type Conversation,
  type ConversationFields,
  type ConversationSettings,
} from "@pergola/sdk";
import { builtInId, builtInPersonalityIds, builtInPromptIds, type Parts } from "@pergola/sdk/host";

type TextSettings = Pick<ConversationSettings, "selectedSystemPromptId" | "selectedPersonalityId">;
type Now = Pick<Conversation, "settings" | "enabledCustomInstructionIds">;

interface Finder {
  find(idOrName: string): Promise<{ readonly id: string } | undefined>;
}

/** Where no plugin keeps texts there is one of a kind, or none. */
const only = (id?: string): Finder => ({
  find: async (wanted) =>
    id !== undefined && builtInId({ default: id }, wanted) === id ? { id } : undefined,
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
 * The id that is meant. What the conversation has named before may stay, though it is gone. Rejects with
 * `not_found`, naming the field.
 */
async function idOf(
  parts: Parts,
  field: keyof typeof kinds,
  given: string,
  kept: readonly (string | undefined)[],
): Promise<string> {
  const kind = kinds[field];
  const found = await kind.in(parts).find(given);
  if (found !== undefined) return found.id;
  if (kept.includes(given)) return given;
  throw new AppError({
    code: "not_found",
    message: `There is no ${kind.noun} "${given.slice(0, 200)}".`,
    param: field,
  });
}

/**
 * Fields with the ids of the prompts and the personality that they name; an empty one is none. Rejects with
 * `not_found`.
 */
export async function withTextIds(
  parts: Parts,
  fields: ConversationFields,
  now?: () => Promise<Now>,
): Promise<ConversationFields> {
  const { settings, enabledCustomInstructionIds: mini } = fields;
  const given = (["selectedSystemPromptId", "selectedPersonalityId"] as const).filter(
    (key) => settings?.[key] !== undefined,
  );
  if (given.length === 0 && mini === undefined) return fields;
  const before = await now?.();
  const resolved: { -readonly [K in keyof TextSettings]: string | undefined } = {};
  for (const key of given) {
    const id = settings?.[key] ?? "";
    resolved[key] = id === "" ? undefined : await idOf(parts, key, id, [before?.settings[key]]);
  }
  const kept = before?.enabledCustomInstructionIds ?? [];
  const ids = mini && [
    ...new Set(await Promise.all(mini.map((id) => idOf(parts, "enabledCustomInstructionIds", id, kept)))),
  ];
  return {
    ...fields,
    ...(settings && { settings: { ...settings, ...(resolved as TextSettings) } }),
    ...(ids && { enabledCustomInstructionIds: ids }),
  };
}
