/** Ids of the texts that are always there; other texts come with plugins. Each is also known by its word. */
export const builtInPromptIds = {
  default: "00000000-0000-0000-0000-000000000001",
  autonomous: "00000000-0000-0000-0000-000000000002",
  minimal: "00000000-0000-0000-0000-000000000004",
} as const;

/** The personality "Assistant", which adds nothing to the prompt. */
export const builtInPersonalityIds = { default: "00000000-0000-0000-0000-000000000001" } as const;

/** The id behind an id or a word of such a table, without regard to case; undefined when there is none. */
export function builtInId<T extends string>(
  table: Readonly<Record<string, T>>,
  idOrWord: string,
): T | undefined {
  const key = idOrWord.trim().toLowerCase();
  return Object.entries(table).find(([word, id]) => word === key || id === key)?.[1];
}
