import type { Route } from "@pergola/sdk";
import { downloadsOf } from "../downloads-of.ts";
import { downloadParameter, statusSchema } from "../schemas.ts";

export const downloadStatus: Route = {
  method: "GET",
  path: "/api/models/download/{downloadId}/status",
  summary: "Show how far a download is",
  params: downloadParameter,
  response: statusSchema,
  handle: async ({ params }, services) => ({
    body: await downloadsOf(services).get(params["downloadId"] ?? ""),
  }),
};
