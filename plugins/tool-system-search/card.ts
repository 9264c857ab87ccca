import type { ToolDisplay } from "@pergola/sdk";

/** The text of a call's card: what is done, to what, and where. */
export const card = (
  actionDisplayName: string,
  subject: string,
  directory?: string,
): Partial<ToolDisplay> => ({
  actionDisplayName,
  summary: subject === "" ? actionDisplayName : `${actionDisplayName}: ${subject}`,
  details: directory === undefined ? [] : [directory],
  icon: "search",
});

/** `1 file`, `3 files`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
