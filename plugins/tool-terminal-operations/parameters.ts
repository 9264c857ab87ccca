import type { ToolDisplay } from "@pergola/sdk";

/** No longer than what one argument of a program may be on Linux. */
export const command = {
  type: "string",
  minLength: 1,
  maxLength: 100_000,
  description: "Shell command",
  aliases: ["cmd"],
} as const;

export const workingDirectory = {
  type: "string",
  format: "path",
  default: ".",
  description: "Folder to run in",
  aliases: ["cwd"],
} as const;

export const sessionId = {
  type: "string",
  maxLength: 100,
  description: "Id of a session",
  aliases: ["id", "sessionId"],
} as const;

/** The text of a call's card. */
export const card = (
  actionDisplayName: string,
  subject: string,
  details: readonly string[] = [],
): Partial<ToolDisplay> => ({
  actionDisplayName,
  summary: subject === "" ? actionDisplayName : `${actionDisplayName}: ${subject}`,
  details,
});
