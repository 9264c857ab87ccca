import type { ToolDisplay } from "@pergola/sdk";

/** The text of a call's card: what is done, in the present tense, and to what. */
export const card = (actionDisplayName: string, subject: string, icon: string): Partial<ToolDisplay> => ({
  actionDisplayName,
  summary: `${actionDisplayName}: ${subject}`,
  details: [],
  icon,
});

/** `1 file`, `3 files`. */
export const counted = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`;
