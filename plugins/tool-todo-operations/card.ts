import type { ToolDisplay } from "@pergola/sdk";

/** `1 to-do`, `3 to-dos`. */
export const counted = (count: number): string => `${count} to-do${count === 1 ? "" : "s"}`;

/** The text of a call's card: what is done, and to how many. */
export const card = (actionDisplayName: string, details: readonly string[] = []): Partial<ToolDisplay> => ({
  actionDisplayName,
  summary: details.length === 0 ? actionDisplayName : `${actionDisplayName}: ${counted(details.length)}`,
  details,
});
