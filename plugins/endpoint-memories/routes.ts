import {
  defined,
  defineEndpoints,
  defineRoute,
  successSchema,
  type FromProperties,
  type MemoryItem,
  type MemoryService,
  type Page,
  type ServicesWith,
} from "@pergola/sdk";
import { changeableProperties, idParameter, kinds, memoryProperties } from "./schemas.ts";
import { scopeOf } from "./scope-of.ts";
import { wireMemory } from "./wire-memory.ts";

type Available = ServicesWith<"memory">;

interface Listed extends MemoryItem {
  readonly similarity?: number;
}

/** Hits that are counted at most: those after them hardly answer the question. */
const mostHits = 1000;

const listQuery = {
  conversationId: {
    type: "string",
    description: "UUID or alias; with a shared topic: what the topic remembers",
  },
  topicId: { type: "string", description: "What this topic remembers" },
  contentType: { type: "string", description: "Those of this content type" },
  tag: { type: "string", description: "Those with this tag" },
  kind: { enum: kinds, description: "Those of this kind" },
  q: { type: "string", default: "", description: "Search by meaning and words" },
  threshold: {
    type: "number",
    minimum: 0,
    maximum: 1,
    default: 0.3,
    description: "The least similarity of what a search finds",
  },
  limit: { type: "integer", minimum: 1, maximum: 1000, default: 50, description: "At most so many" },
  offset: { type: "integer", minimum: 0, default: 0, description: "How many to pass over" },
} as const;

type ListQuery = FromProperties<typeof listQuery, never>;

export const listMemories = defineRoute({
  method: "GET",
  path: "/api/memories",
  scope: "read",
  summary: "List what is remembered, the newest first, or search it, the best first",
  query: listQuery,
  response: {
    type: "object",
    properties: {
      memories: {
        type: "array",
        items: {
          type: "object",
          properties: { ...memoryProperties, similarity: { type: "number", description: "Of a search" } },
        },
      },
      count: { type: "integer", description: `Matches before paging; of a search at most ${mostHits}` },
    },
  },
  failures: [],
  async handle({ query }, services: Available) {
    const scope = await scopeOf(query, services);
    const { items, count } = await list(services.memory, query, scope);
    return { body: { memories: items.map(wireMemory), count } };
  },
});

const filterOf = ({ contentType, tag, kind }: ListQuery) =>
  defined({ contentType, tag, kinds: kind && [kind] });

async function list(memory: MemoryService, query: ListQuery, scope?: string): Promise<Page<Listed>> {
  const { limit, offset } = query;
  if (query.q.trim() !== "") return search(memory, query, scope);
  return memory.list({ ...filterOf(query), ...defined({ scope }), limit, offset });
}

async function search(memory: MemoryService, query: ListQuery, scope?: string): Promise<Page<Listed>> {
  const { q, threshold, limit, offset } = query;
  const scopes = scope === undefined ? undefined : [scope];
  const filter = { ...filterOf(query), ...defined({ scopes }) };
  const hits = await memory.search({ ...filter, query: q, threshold, limit: mostHits });
  const items = hits.slice(offset, offset + limit).map(({ item, similarity }) => ({ ...item, similarity }));
  return { items, count: hits.length };
}

export const getMemory = defineRoute({
  method: "GET",
  path: "/api/memories/{id}",
  scope: "read",
  summary: "Show a memory",
  params: idParameter,
  response: { title: "Memory", type: "object", properties: memoryProperties },
  failures: [],
  handle: async ({ params }, { memory }: Available) => ({
    body: wireMemory(await memory.get(params.id.toLowerCase())),
  }),
});

/** The fields to change. */
const changesIn = (body: FromProperties<typeof changeableProperties, never>) =>
  Object.fromEntries(Object.entries(body).filter(([field]) => Object.hasOwn(changeableProperties, field)));

export const updateMemory = defineRoute({
  method: "PATCH",
  path: "/api/memories/{id}",
  scope: "chat",
  summary: "Change a memory; it is found by its new text at once, and by its old one no more",
  params: idParameter,
  body: { type: "object", properties: changeableProperties },
  response: {
    type: "object",
    properties: {
      success: { const: true },
      memory: { title: "Memory", type: "object", properties: memoryProperties },
    },
  },
  failures: ["conflict"],
  async handle({ params, body }, { memory }: Available) {
    const [id, changes] = [params.id.toLowerCase(), changesIn(body)];
    const item = await (Object.keys(changes).length === 0 ? memory.get(id) : memory.update(id, changes));
    return { body: { success: true, memory: wireMemory(item) } };
  },
});

export const deleteMemory = defineRoute({
  method: "DELETE",
  path: "/api/memories/{id}",
  scope: "chat",
  summary: "Forget a memory; no search finds it any more",
  params: idParameter,
  response: successSchema,
  failures: [],
  async handle({ params }, { memory }: Available) {
    await memory.delete(params.id.toLowerCase());
    return { body: { success: true } };
  },
});

export const memories = defineEndpoints({
  group: "memories",
  needs: "memory",
  routes: [listMemories, getMemory, updateMemory, deleteMemory],
});
