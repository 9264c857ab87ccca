import {
  defined,
  defineEndpoints,
  defineRoute,
  type Route,
  type ServerEvent,
  type ServicesWith,
} from "@pergola/sdk";
import { text, type DownloadStatus } from "@pergola/sdk/host";

const integer = { type: "integer" } as const;

type Available = ServicesWith<"downloads">;

const downloadParameter = { downloadId: { type: "string", description: "UUID" } } as const;

const state = { enum: ["starting", "downloading", "completed", "failed", "cancelled"] } as const;

const bytes = {
  bytesDownloaded: integer,
  totalBytes: { type: ["integer", "null"], description: "null while unknown" },
} as const;

const statusSchema = {
  title: "Download",
  type: "object",
  required: ["downloadId", "repoId", "filename", "status", "progress", "files"],
  properties: {
    downloadId: text,
    repoId: text,
    filename: text,
    status: state,
    progress: { type: "number", minimum: 0, maximum: 1 },
    ...bytes,
    downloadSpeed: { type: "number", description: "Bytes per second" },
    eta: { type: ["number", "null"], description: "Seconds" },
    error: { type: ["string", "null"] },
    files: {
      type: "array",
      items: { type: "object", properties: { name: text, ...bytes, status: state } },
    },
    modelId: { type: ["string", "null"], description: "Once completed" },
    startedAt: text,
    updatedAt: text,
  },
} as const;

export const startDownload = defineRoute({
  method: "POST",
  path: "/api/models/download",
  scope: "admin",
  summary: "Download a model",
  body: {
    type: "object",
    examples: [{ repoId: "owner/name", filename: "model-Q4_K_M.gguf" }],
    properties: {
      repoId: { type: "string", description: "owner/name; required unless there is a modelUrl" },
      filename: { type: "string", description: "Without it, every file that the model needs" },
      revision: { type: "string", description: "Branch, tag or commit; main without it" },
      sha256: { type: "string", description: "What the file must have, in lower case" },
      modelUrl: {
        type: "string",
        description:
          "https address of a file on one of downloads.allowed_hosts, or of a repository at the source",
      },
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
      downloadId: text,
      repoId: text,
      filename: text,
      status: text,
      existing: { type: "boolean", description: "It was at work or installed already" },
    },
  },
  failures: ["provider_error", "conflict", "in_use", "id_taken"],
  async handle({ body, signal }, { downloads }: Available) {
    const { status: at, existing } = await downloads.start(body, signal);
    const { downloadId, repoId, filename, status } = at;
    return { body: defined({ downloadId, repoId, filename, status, existing: existing || undefined }) };
  },
});

export const listDownloads = defineRoute({
  method: "GET",
  path: "/api/models/download",
  scope: "read",
  summary: "List downloads, the newest first",
  query: { status: { ...state, description: "Those that stand so" } },
  response: {
    type: "object",
    properties: { downloads: { type: "array", items: statusSchema }, count: integer },
  },
  failures: [],
  async handle({ query }, { downloads }: Available) {
    const all = await downloads.list();
    const found = all.filter(({ status }) => status === (query.status ?? status));
    return { body: { downloads: found, count: found.length } };
  },
});

const fileSchema = {
  type: "object",
  description: "The one that a download without a name would take first",
  properties: {
    filename: text,
    sizeBytes: { type: ["integer", "null"], description: "With all its parts" },
    quantization: { type: ["string", "null"] },
    fits: {
      enum: ["yes", "tight", "no", "unknown"],
      description: "Whether it can be run: in the memory that is free, in all there is, not at all",
    },
  },
} as const;

export const searchModels = defineRoute({
  method: "GET",
  path: "/api/models/download/search",
  scope: "read",
  summary: "Search the source for models that can be downloaded",
  query: {
    q: { type: "string", maxLength: 200, default: "", description: "Words of the repository's name" },
    limit: { type: "integer", minimum: 1, maximum: 100, default: 20, description: "At most so many" },
  },
  response: {
    type: "object",
    properties: {
      models: {
        type: "array",
        items: {
          type: "object",
          properties: {
            repoId: text,
            downloads: integer,
            likes: integer,
            updatedAt: { type: ["string", "null"] },
            gated: { type: "boolean", description: "Needs a token with access" },
            files: { type: "array", items: fileSchema },
          },
        },
      },
      machine: {
        type: "object",
        description: "What this computer has for models",
        properties: { memoryBytes: integer, freeMemoryBytes: integer, freeDiskBytes: integer },
      },
      count: integer,
    },
  },
  failures: ["provider_error"],
  async handle({ query: { q, limit }, signal }, { downloads }: Available) {
    const { models, machine } = await downloads.search(q, { limit }, signal);
    return { body: { models, machine, count: models.length } };
  },
});

type Act = (downloads: Available["downloads"], id: string) => Promise<DownloadStatus>;

/** A route that does something with one download and shows its status. */
const statusRoute = (facts: Pick<Route, "method" | "path" | "scope" | "summary" | "failures">, act: Act) =>
  defineRoute({
    ...facts,
    params: downloadParameter,
    response: statusSchema,
    handle: async ({ params }, { downloads }: Available) => ({
      body: await act(downloads, params.downloadId),
    }),
  });

export const downloadStatus = statusRoute(
  {
    method: "GET",
    path: "/api/models/download/{downloadId}/status",
    scope: "read",
    summary: "Show how far a download is",
    failures: [],
  },
  (downloads, id) => downloads.get(id),
);

export const cancelDownload = defineRoute({
  method: "DELETE",
  path: "/api/models/download/{downloadId}",
  scope: "admin",
  summary: "Cancel a download",
  params: downloadParameter,
  query: {
    keepPartial: { type: "boolean", default: false, description: "Keep what has come, for a resume" },
  },
  response: {
    type: "object",
    properties: { downloadId: text, status: { const: "cancelled" }, message: text },
  },
  failures: ["download_finished", "wrong_host", "host_unavailable"],
  async handle({ params, query }, { downloads }: Available) {
    const { downloadId, status } = await downloads.cancel(params.downloadId, query);
    const rest = query.keepPartial ? "What has come is kept for a resume." : "What had come was removed.";
    return { body: { downloadId, status, message: `The download was cancelled. ${rest}` } };
  },
});

export const discardDownload = statusRoute(
  {
    method: "DELETE",
    path: "/api/models/download/{downloadId}/partial",
    scope: "admin",
    summary: "Remove what a failed or cancelled download has kept",
    failures: ["in_use", "download_finished", "conflict", "wrong_host", "host_unavailable"],
  },
  (downloads, id) => downloads.discard(id),
);

export const resumeDownload = statusRoute(
  {
    method: "POST",
    path: "/api/models/download/{downloadId}/resume",
    scope: "admin",
    summary: "Go on with a download that failed or was cancelled",
    failures: ["not_resumable", "provider_error", "conflict", "in_use", "wrong_host", "host_unavailable"],
  },
  (downloads, id) => downloads.resume(id),
);

/** Each status as `progress`; the last, final one once more as `end`. */
async function* eventsOf(statuses: AsyncIterable<DownloadStatus>): AsyncGenerator<ServerEvent> {
  let data = "";
  for await (const status of statuses) {
    data = JSON.stringify(status);
    yield { event: "progress", data };
  }
  yield { event: "end", data };
}

export const followDownload = defineRoute({
  method: "GET",
  path: "/api/models/download/{downloadId}/events",
  scope: "read",
  summary: "Follow a download",
  params: downloadParameter,
  answers: { 200: { "text/event-stream": statusSchema } },
  failures: [],
  async handle({ params, signal }, { downloads }: Available) {
    const { downloadId } = await downloads.get(params.downloadId);
    return { events: eventsOf(downloads.watch(downloadId, signal)) };
  },
});

export const downloads = defineEndpoints({
  group: "downloads",
  needs: "downloads",
  routes: [
    startDownload,
    listDownloads,
    searchModels,
    downloadStatus,
    cancelDownload,
    discardDownload,
    resumeDownload,
    followDownload,
  ],
});
