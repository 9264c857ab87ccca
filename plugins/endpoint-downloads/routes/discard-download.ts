import type { Route } from "@pergola/sdk";
import { downloadsOf } from "../downloads-of.ts";
import { downloadParameter, statusSchema } from "../schemas.ts";

export const discardDownload: Route = {
  method: "DELETE",
  path: "/api/models/download/{downloadId}/partial",
  summary: "Remove what a failed or cancelled download has kept",
  params: downloadParameter,
  response: statusSchema,
  handle: async ({ params }, services) => ({
    body: await downloadsOf(services).discard(params["downloadId"] ?? ""),
  }),
};
