/** Ids of the texts that are always there; other texts come with plugins. Each is also known by its word. */
export const builtInPromptIds = {
  default: "00000000-0000-0000-0000-000000000001",
  autonomous: "00000000-0000-0000-0000-000000000002",
  minimal: "00000000-0000-0000-0000-000000000004",
} as const;

/** The personality "Assistant", which adds nothing to the prompt. */
export const builtInPersonalityIds = { default: "00000000-0000-0000-0000-000000000001" } as const;

/** Words by which an older client dialect calls the same texts. */
const olderWords: ReadonlyMap<string, string> = new Map([
  ["sam_default", "default"],
  ["sam_minimal", "minimal"],
  ["autonomous_editor", "autonomous"],
]);

/** The id behind an id or a word of such a table, without regard to case; undefined when there is none. */
export function builtInId<T extends string>(
  table: Readonly<Record<string, T>>,
  idOrWord: string,
): T | undefined {
  const given = idOrWord.trim().toLowerCase();
  const key = olderWords.get(given) ?? given;
  return Object.entries(table).find(([word, id]) => word === key || id === key)?.[1];
}
