import { compareText, type PreferenceService, type RunContext } from "@pergola/sdk";
import {
  builtInPersonalityIds,
  builtInPromptIds,
  personalityText,
  untilDonePrompt,
  type MiniPrompt,
  type Personality,
  type SystemPrompt,
} from "@pergola/sdk/host";

interface Finder<T> {
  find(idOrName: string): Promise<T | undefined>;
}

/** The id of a text that somebody keeps. */
type Kept = { readonly id?: string };

/** Where texts are looked up. */
export interface TextSource {
  readonly system: Finder<Pick<SystemPrompt, "content"> & Kept>;
  readonly personalities: Finder<Pick<Personality, "instructions" | "traits"> & Kept>;
  readonly mini: Finder<MiniPrompt>;
}

type Scene = Pick<RunContext, "request" | "conversation" | "warn" | "usePart">;
type Preferences = Pick<PreferenceService, "get">;

/** At four characters each, as everything is estimated. */
const textTokens = (text: string): number => Math.ceil(text.length / 4);

const paragraphs = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n\n");

/** What is said of a text that is not there; a long name is not said again whole. */
const ignored = (noun: string, name: string): string =>
  `There is no ${noun} "${name.slice(0, 200)}"; it was ignored.`;

/** The text of the first id that is known; those before it are warned about. */
async function firstKnown<T>(
  noun: string,
  source: Finder<T>,
  ids: readonly (string | undefined)[],
  warn: Scene["warn"],
) {
  for (const id of ids) {
    if (id === undefined || id === "") continue;
    const found = await source.find(id);
    if (found !== undefined) return found;
    warn(ignored(noun, id));
  }
  return undefined;
}

/**
 * The system prompt of a run with the personality behind it; of each the request's, else the conversation's,
 * else the preference's, else the default. A run of kind `autonomous` is also told to plan and to work until
 * the task is done.
 */
export async function chooseSystem(
  { request, conversation, warn, usePart }: Scene,
  preferences: Preferences,
  source: TextSource,
): Promise<string> {
  const { settings } = conversation;
  const promptIds = [
    request.systemPromptId,
    settings.selectedSystemPromptId,
    preferences.get<string>("default_system_prompt_id"),
    builtInPromptIds.default,
  ];
  const prompt = await firstKnown("system prompt", source.system, promptIds, warn);
  const personalityIds = [
    request.personalityId,
    settings.selectedPersonalityId,
    preferences.get<string>("default_personality_id"),
    builtInPersonalityIds.default,
  ];
  const personality = await firstKnown("personality", source.personalities, personalityIds, warn);
  const content = prompt?.content ?? "";
  const needsUntilDone = request.kind === "autonomous" && !content.includes(untilDonePrompt);
  const system = paragraphs(content, (needsUntilDone && untilDonePrompt) || "");
  const manner = personality === undefined ? "" : personalityText(personality);
  usePart({ kind: "system", tokens: textTokens(system), id: prompt?.id });
  usePart({ kind: "personality", tokens: textTokens(manner), id: personality?.id });
  return paragraphs(system, manner);
}

/**
 * The mini prompts that the request names and those that the conversation has switched on, each once, in
 * their order.
 */
export async function chooseMini(
  { request, conversation, warn }: Scene,
  source: TextSource,
): Promise<readonly MiniPrompt[]> {
  const ids = [...request.customInstructions, ...conversation.enabledCustomInstructionIds].filter(
    (name) => name.trim() !== "",
  );
  const unique = [...new Set(ids)];
  const found = await Promise.all(unique.map((name) => source.mini.find(name)));
  for (const [index, name] of unique.entries())
    if (found[index] === undefined) warn(ignored("mini prompt", name));
  const known = new Map(found.filter((prompt) => prompt !== undefined).map((prompt) => [prompt.id, prompt]));
  return [...known.values()].toSorted(
    (a, b) => a.displayOrder - b.displayOrder || compareText(a.createdAt, b.createdAt),
  );
}
