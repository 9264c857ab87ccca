import {
  personalityText,
  type ArchiveRecord,
  type Parts,
  type StoredRun,
  type SystemPrompt,
} from "@pergola/sdk/host";

/** A run that has called a model. */
export type OutlinedRun = StoredRun & { readonly outline: NonNullable<StoredRun["outline"]> };

type Texts = Readonly<Record<string, string>>;

/** What was changed after this time is not what the model saw. */
const unchanged = <T extends Pick<SystemPrompt, "builtIn" | "modifiedAt">>(
  found: T | undefined,
  since: string,
): T | undefined => (found?.builtIn === true || (found?.modifiedAt ?? "~") <= since ? found : undefined);

/**
 * The texts that a call saw, by the kind of their part, as far as they are kept and nobody has changed them
 * since; without secrets. `archived`: the last record of what was left out.
 */
export async function readTexts(
  parts: Parts,
  { outline, createdAt }: OutlinedRun,
  archived: ArchiveRecord | undefined,
): Promise<Texts> {
  const { prompts } = parts;
  const { promptId, personalityId } = outline;
  const [system, personality, memories] = await Promise.all([
    promptId === undefined ? undefined : prompts?.system.find(promptId),
    personalityId === undefined ? undefined : prompts?.personalities.find(personalityId),
    memoriesOf(parts, outline.remembered, createdAt),
  ]);
  const kept = unchanged(personality, createdAt);
  const texts = {
    system: unchanged(system, createdAt)?.content,
    personality: kept && personalityText(kept),
    memories: memories.join("\n"),
    summary: outline.summary > 0 ? archived?.block : undefined,
  };
  return Object.fromEntries(
    Object.entries(texts).flatMap(([kind, text]) => (text ? [[kind, parts.redact(text)]] : [])),
  );
}

async function memoriesOf(
  { memory }: Parts,
  remembered: OutlinedRun["outline"]["remembered"],
  since: string,
): Promise<readonly string[]> {
  const found = await Promise.all(remembered.map(async ([id]) => memory?.get(id).catch(() => undefined)));
  return found.flatMap((item) => (item !== undefined && item.updatedAt <= since ? [item.content] : []));
}
