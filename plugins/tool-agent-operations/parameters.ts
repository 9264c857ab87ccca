import type { ToolDisplay } from "@pergola/sdk";

export const agentId = { type: "string" } as const;
export const message = { type: "string", minLength: 1 } as const;

export const card = (actionDisplayName: string, subject = ""): Partial<ToolDisplay> => ({
  actionDisplayName,
  summary: subject === "" ? actionDisplayName : `${actionDisplayName}: ${subject}`,
});
