import type { ToolDisplay } from "@pergola/sdk";

/** The text of a call's card: what is done, in the present tense, and to what. */
export const card = (
  actionDisplayName: string,
  subject: string,
  icon: string,
  details: readonly string[] = [],
): Partial<ToolDisplay> => ({
  actionDisplayName,
  summary: `${actionDisplayName}: ${subject}`,
  details,
  icon,
});
