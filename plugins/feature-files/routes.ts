import { defineEndpoints, defineRoute, type JsonSchema, type ServicesWith, pageQuery } from "@pergola/sdk";
import { mimeTypes } from "./mime-type.ts";

type Needed = ServicesWith<"files">;

const text = { type: "string" } as const;
const conversationId = { ...text, description: "UUID or alias" } as const;
const filePath = {
  ...text,
  minLength: 1,
  maxLength: 4096,
  description: "Relative to the working directory",
} as const;
const mimeType = {
  type: ["string", "null"],
  description: "application/octet-stream but for png, jpeg, gif, webp and plain text",
} as const;

const entrySchema = {
  title: "FileEntry",
  type: "object",
  properties: {
    name: text,
    path: { ...text, description: "Relative to the working directory" },
    kind: { enum: ["file", "directory", "link", "other"] },
    size: { type: "integer", description: "Bytes" },
    modified: text,
    mimeType,
  },
} as const satisfies JsonSchema;

export const listFiles = defineRoute({
  method: "GET",
  path: "/v1/conversations/{conversationId}/files",
  scope: "read",
  summary: "List a folder of the conversation's working directory, by name",
  params: { conversationId },
  query: {
    path: { ...text, default: "", maxLength: 4096, description: "The folder; empty = all of it" },
    limit: { type: "integer", minimum: 1, maximum: 1000, default: 200, description: "How many at most" },
    offset: pageQuery.offset,
  },
  response: {
    type: "object",
    properties: {
      workingDirectory: text,
      path: text,
      entries: { type: "array", items: entrySchema },
      count: { type: "integer" },
    },
  },
  failures: ["wrong_host", "host_unavailable"],
  async handle({ params, query, caller }, { files }: Needed) {
    const { items, ...page } = await files.list(params.conversationId, query, caller);
    return { body: { ...page, entries: items } };
  },
});

/** For the name of a file in a header (RFC 6266, RFC 8187). */
const disposition = (name: string): string =>
  `attachment; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, percent)}`;

const percent = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;

/** The bytes of a file, whichever type its name gives it. */
const contents = Object.fromEntries(
  mimeTypes.map((type) => [type, { type: "string", format: "binary" } as const]),
);

export const readFile = defineRoute({
  method: "GET",
  path: "/v1/conversations/{conversationId}/files/{path…}",
  scope: "read",
  summary: "Download a file of the conversation's working directory",
  description: "It is always an attachment, and never has a type that a browser would run.",
  params: { conversationId, path: filePath },
  answers: { 200: contents },
  failures: ["wrong_host", "host_unavailable"],
  async handle({ params, caller }, { files }: Needed) {
    const file = await files.read(params.conversationId, params.path, caller);
    const headers = {
      "Content-Disposition": disposition(file.name),
      "Content-Security-Policy": "sandbox",
      "Content-Length": String(file.size),
    };
    return { headers, pieces: file.pieces, contentType: file.mimeType };
  },
});

const written = {
  type: "object",
  properties: {
    path: text,
    size: { type: "integer", description: "Bytes" },
    sha256: text,
    mimeType,
    callId: { ...text, description: "POST /api/runs/{callId}/revert takes the upload back" },
  },
} as const satisfies JsonSchema;

export const writeFile = defineRoute({
  method: "PUT",
  path: "/v1/conversations/{conversationId}/files/{path…}",
  scope: "tools",
  takes: "bytes",
  summary: "Upload a file to the conversation's working directory",
  description:
    "The body is the file, with any Content-Type. It is in place when all of it has come. Refused: a path " +
    "that is absolute, leaves the working directory, goes through a link, or has a protected name.",
  params: { conversationId, path: filePath },
  query: { overwrite: { type: "boolean", default: false, description: "Replace a file that is there" } },
  answers: { 201: { "application/json": written } },
  failures: ["id_taken", "wrong_host", "host_unavailable", "request_too_large", "storage_unavailable"],
  async handle({ params, query, headers, bytes, caller }, { files }: Needed) {
    const length = headers["content-length"];
    const file = {
      pieces: bytes ?? nothing(),
      announced: length === undefined ? undefined : Number(length),
      overwrite: query.overwrite,
    };
    return { status: 201, body: await files.write(params.conversationId, params.path, file, caller) };
  },
});

async function* nothing(): AsyncGenerator<Uint8Array> {}

export const files = defineEndpoints({
  group: "files",
  needs: "files",
  routes: [listFiles, readFile, writeFile],
});
