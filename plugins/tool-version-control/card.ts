import type { ToolDisplay } from "@pergola/sdk";

/** The text of a call's card: what is done, and to what. */
export const card = (
  actionDisplayName: string,
  subject = "",
  details: readonly string[] = [],
): Partial<ToolDisplay> => ({
  actionDisplayName,
  summary: subject === "" ? actionDisplayName : `${actionDisplayName}: ${subject}`,
  details,
  icon: "git-branch",
});

/** `1 file`, `3 files`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;
