import { toolDisplay } from "@pergola/sdk";

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

/** What a person sees of a call: what is done, and to what. */
export const card = (action: string, subject: string, details: readonly string[] = []) =>
  toolDisplay(action, subject, "terminal", details);
