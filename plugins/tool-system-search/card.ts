import { toolDisplay, type ToolDisplay } from "@pergola/sdk";

/** The text of a call's card: what is done, to what, and where. */
export const card = (actionDisplayName: string, subject: string, directory?: string): Partial<ToolDisplay> =>
  toolDisplay(
    actionDisplayName,
    subject,
    "search",
    [directory].filter((folder) => folder !== undefined),
  );
