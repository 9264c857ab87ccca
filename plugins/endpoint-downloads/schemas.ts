import type { JsonSchema, Properties } from "@pergola/sdk";

export const downloadStates = ["starting", "downloading", "completed", "failed", "cancelled"] as const;

export const downloadParameter: Properties = { downloadId: { type: "string", description: "UUID" } };

const bytes = {
  bytesDownloaded: { type: "integer" },
  totalBytes: { type: ["integer", "null"], description: "null while unknown" },
} as const;

export const statusSchema: JsonSchema = {
  type: "object",
  properties: {
    downloadId: { type: "string" },
    repoId: { type: "string" },
    filename: { type: "string" },
    status: { enum: downloadStates },
    progress: { type: "number", minimum: 0, maximum: 1 },
    ...bytes,
    downloadSpeed: { type: "number", description: "Bytes per second" },
    eta: { type: ["number", "null"], description: "Seconds" },
    error: { type: ["string", "null"] },
    files: {
      type: "array",
      items: {
        type: "object",
        properties: { name: { type: "string" }, ...bytes, status: { enum: downloadStates } },
      },
    },
    modelId: { type: ["string", "null"], description: "Once completed" },
    startedAt: { type: "string" },
    updatedAt: { type: "string" },
  },
};
