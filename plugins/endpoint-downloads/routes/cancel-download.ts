import type { Route } from "@pergola/sdk";
import { downloadsOf } from "../downloads-of.ts";
import { downloadParameter } from "../schemas.ts";

export const cancelDownload: Route = {
  method: "DELETE",
  path: "/api/models/download/{downloadId}",
  summary: "Cancel a download",
  params: downloadParameter,
  query: {
    keepPartial: { type: "boolean", default: false, description: "Keep what has come, for a resume" },
  },
  response: {
    type: "object",
    properties: {
      downloadId: { type: "string" },
      status: { const: "cancelled" },
      message: { type: "string" },
    },
  },
  async handle({ params, query }, services) {
    const { keepPartial } = query as { readonly keepPartial: boolean };
    const { downloadId, status } = await downloadsOf(services).cancel(params["downloadId"] ?? "", {
      keepPartial,
    });
    const rest = keepPartial ? "What has come is kept for a resume." : "What had come was removed.";
    return { body: { downloadId, status, message: `The download was cancelled. ${rest}` } };
  },
};
