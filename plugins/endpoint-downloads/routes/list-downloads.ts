import type { Route } from "@pergola/sdk";
import type { DownloadState } from "@pergola/sdk/host";
import { downloadsOf } from "../downloads-of.ts";
import { downloadStates, statusSchema } from "../schemas.ts";

export const listDownloads: Route = {
  method: "GET",
  path: "/api/models/download",
  summary: "List downloads, the newest first",
  query: { status: { enum: downloadStates } },
  response: {
    type: "object",
    properties: { downloads: { type: "array", items: statusSchema }, count: { type: "integer" } },
  },
  async handle({ query }, services) {
    const { status: wanted } = query as { readonly status?: DownloadState };
    const downloads = (await downloadsOf(services).list()).filter(
      ({ status }) => wanted === undefined || status === wanted,
    );
    return { body: { downloads, count: downloads.length } };
  },
};
