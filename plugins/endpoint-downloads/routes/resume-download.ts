import type { Route } from "@pergola/sdk";
import { downloadsOf } from "../downloads-of.ts";
import { downloadParameter, statusSchema } from "../schemas.ts";

export const resumeDownload: Route = {
  method: "POST",
  path: "/api/models/download/{downloadId}/resume",
  summary: "Go on with a download that failed or was cancelled",
  params: downloadParameter,
  response: statusSchema,
  handle: async ({ params }, services) => ({
    body: await downloadsOf(services).resume(params["downloadId"] ?? ""),
  }),
};
