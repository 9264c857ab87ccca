import type { ToolDisplay } from "@pergola/sdk";

/** The text of a call's card: what is done, in the present tense, and to what. */
export const card = (
  actionDisplayName: string,
  subject: string,
  icon: string,
  details: readonly string[] = [],
): Partial<ToolDisplay> => ({
  actionDisplayName,
  summary: subject === "" ? actionDisplayName : `${actionDisplayName}: ${subject}`,
  details,
  icon,
});

/** The card of a search: names the folder unless it is the working directory. */
export const searchCard = (
  title: string,
  { query, directory }: { readonly query: string; readonly directory: string },
): Partial<ToolDisplay> =>
  card(
    title,
    query,
    "search",
    [directory].filter((folder) => folder !== "."),
  );

/** `1 file`, `3 files`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;

/** The words when there are any, else nothing: for the sentences of a message. */
export const when = (condition: boolean, words: string): string => (condition ? ` ${words}` : "");
