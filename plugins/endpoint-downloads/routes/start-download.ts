import type { Route } from "@pergola/sdk";
import type { DownloadRequest } from "@pergola/sdk/host";
import { downloadsOf } from "../downloads-of.ts";

export const startDownload: Route = {
  method: "POST",
  path: "/api/models/download",
  summary: "Download a model",
  body: {
    type: "object",
    properties: {
      repoId: { type: "string", description: "owner/name; required unless there is a modelUrl" },
      filename: { type: "string", description: "Without it, every file that the model needs" },
      revision: { type: "string", description: "Branch, tag or commit; main without it" },
      sha256: { type: "string", description: "What the file must have, in lower case" },
      modelUrl: { type: "string", description: "https address of a file on one of downloads.allowed_hosts" },
      keepPartial: {
        type: "boolean",
        default: false,
        description: "Keep what has come when the disk is full",
      },
    },
  },
  response: {
    type: "object",
    properties: {
      downloadId: { type: "string" },
      repoId: { type: "string" },
      filename: { type: "string" },
      status: { type: "string" },
      existing: { type: "boolean", description: "It was at work or installed already" },
    },
  },
  async handle({ body, signal }, services) {
    const { status: at, existing } = await downloadsOf(services).start(body as DownloadRequest, signal);
    const { downloadId, repoId, filename, status } = at;
    return { body: { downloadId, repoId, filename, status, ...(existing && { existing }) } };
  },
};
