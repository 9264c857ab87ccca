import { toolDisplay, type ToolDisplay } from "@pergola/sdk";

/** What a person sees of a git call: what is done, and to what. */
export const gitDisplay = (
  action: string,
  subject = "",
  details: readonly string[] = [],
): Partial<ToolDisplay> => toolDisplay(action, subject, "git-branch", details);
