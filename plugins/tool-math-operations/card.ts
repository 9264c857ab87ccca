import type { ToolDisplay } from "@pergola/sdk";

/** The text of a call's card: what is done, and to what. */
export const card = (
  actionDisplayName: string,
  subject: string,
  details: readonly string[] = [],
): Partial<ToolDisplay> => ({
  actionDisplayName,
  summary: subject === "" ? actionDisplayName : `${actionDisplayName}: ${subject}`,
  details,
  icon: "function",
});
