import { wireSummary, type Entity, type Json, type JsonObject } from "@pergola/sdk";
import { previewHead, type Parts, type Preview } from "@pergola/sdk/host";
import type { RouteReader } from "./route-reader.ts";

/** Where the records of a kind are found. */
export interface Source {
  /** The collection that is watched; absent where the records stand in no store. */
  readonly collection?: string;
  /** The route that lists them: who may not use it hears nothing of them. */
  readonly list: string;
  /** The record as the list has it; undefined for one that it leaves out. */
  readonly find?: (id: string, routes: RouteReader, parts: Parts) => Promise<JsonObject | undefined>;
}

/** The one of a list of records that has an id. */
async function findIn(list: Promise<JsonObject>, key: string, id: string): Promise<JsonObject | undefined> {
  const records = (await list)[key] as unknown as readonly JsonObject[];
  return records.find((record) => record["id"] === id);
}

/** Lists leave out the lines of a preview. */
const headOf = (preview: Json | undefined): Json =>
  (previewHead(preview as unknown as Preview | null | undefined) ?? null) as unknown as Json;

async function findChange(id: string, routes: RouteReader, { stores }: Parts) {
  const changes = stores.storage.collection<Entity & { readonly conversationId: string }>(
    "service-changes/changes",
    { indexes: [] },
  );
  const change = await changes.get(id);
  if (change === undefined) return undefined;
  const query = { conversationId: change.conversationId, limit: 1000, offset: 0 };
  return findIn(routes.read("/api/changes", { query }), "changes", id);
}

/**
 * What changes of, by its kind. Providers, plugins and MCP servers have no collection: their
 * lists are compared.
 */
export const sources = {
  conversation: {
    collection: "conversations",
    list: "/v1/conversations",
    find: async (id, _, { conversations }) => {
      const conversation = await conversations.get(id);
      return conversation.hidden ? undefined : { ...wireSummary(conversation) };
    },
  },
  run: {
    collection: "runs",
    list: "/api/runs",
    find: (runId, routes) => routes.read("/api/runs/{runId}", { params: { runId } }),
  },
  approval: {
    collection: "approvals",
    list: "/api/approvals",
    find: async (id, routes) => {
      const { preview, ...approval } = await routes.read("/api/approvals/{id}", { params: { id } });
      return { ...approval, preview: headOf(preview) };
    },
  },
  grant: {
    collection: "grants",
    list: "/api/grants",
    find: (id, routes) => findIn(routes.read("/api/grants"), "grants", id),
  },
  download: {
    collection: "service-downloads/downloads",
    list: "/api/models/download",
    find: (downloadId, routes) =>
      routes.read("/api/models/download/{downloadId}/status", { params: { downloadId } }),
  },
  memory: {
    collection: "memories",
    list: "/api/memories",
    find: (id, routes) => routes.read("/api/memories/{id}", { params: { id } }),
  },
  topic: {
    collection: "topics",
    list: "/api/topics",
    find: (id, routes) => findIn(routes.read("/api/topics"), "topics", id),
  },
  folder: {
    collection: "folders",
    list: "/api/folders",
    find: async (id, _, { folders }) => {
      const folder = await folders?.find(id);
      return folder && { ...folder };
    },
  },
  file_change: { collection: "service-changes/changes", list: "/api/changes", find: findChange },
  preference: { collection: "service-preferences/values", list: "/api/preferences" },
  provider: { list: "/api/providers" },
  plugin: { list: "/api/plugins" },
  mcp_server: { list: "/api/mcp/servers" },
  schedule: {
    collection: "schedules",
    list: "/api/schedules",
    find: (id, routes) => routes.read("/api/schedules/{id}", { params: { id } }),
  },
} as const satisfies Readonly<Record<string, Source>>;

export type Kind = keyof typeof sources;

export const kinds = Object.keys(sources) as readonly Kind[];
export const sourceOf = (kind: Kind): Source => sources[kind];
