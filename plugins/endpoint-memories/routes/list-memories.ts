import type { MemoryItem, MemoryKind, MemoryService, Page, Route } from "@pergola/sdk";
import { memoryOf } from "../memory-of.ts";
import { kinds, memoryProperties } from "../schemas.ts";
import { scopeOf, type Whose } from "../scope-of.ts";
import { wireMemory } from "../wire-memory.ts";

interface Query extends Whose {
  readonly contentType?: string;
  readonly tag?: string;
  readonly kind?: MemoryKind;
  readonly q: string;
  readonly threshold: number;
  readonly limit: number;
  readonly offset: number;
}

interface Listed extends MemoryItem {
  readonly similarity?: number;
}

/** So many hits are counted; what lies behind them hardly answers the question. */
const mostHits = 1000;

export const listMemories: Route = {
  method: "GET",
  path: "/api/memories",
  summary: "List what is remembered, the newest first, or search it, the best first",
  query: {
    conversationId: {
      type: "string",
      description: "UUID or alias; with a shared topic: what the topic remembers",
    },
    topicId: { type: "string" },
    contentType: { type: "string" },
    tag: { type: "string" },
    kind: { enum: kinds },
    q: { type: "string", default: "", description: "Search by meaning and words" },
    threshold: {
      type: "number",
      minimum: 0,
      maximum: 1,
      default: 0.3,
      description: "The least similarity of what a search finds",
    },
    limit: { type: "integer", minimum: 1, maximum: 1000, default: 50 },
    offset: { type: "integer", minimum: 0, default: 0 },
  },
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
  async handle({ query }, services) {
    const asked = query as unknown as Query;
    const memory = memoryOf(services);
    const scope = await scopeOf(asked, services);
    const { items, count } = await (asked.q.trim() === ""
      ? list(memory, asked, scope)
      : search(memory, asked, scope));
    return { body: { memories: items.map(wireMemory), count } };
  },
};

const filterOf = ({ contentType, tag, kind }: Query) => ({
  contentType,
  tag,
  ...(kind === undefined ? {} : { kinds: [kind] }),
});

function list(memory: MemoryService, asked: Query, scope: string | undefined): Promise<Page<Listed>> {
  const { limit, offset } = asked;
  return memory.list({ ...filterOf(asked), limit, offset, ...(scope === undefined ? {} : { scope }) });
}

async function search(memory: MemoryService, asked: Query, scope: string | undefined): Promise<Page<Listed>> {
  const { q: query, threshold, limit, offset } = asked;
  const scopes = scope === undefined ? {} : { scopes: [scope] };
  const hits = await memory.search({ ...filterOf(asked), query, threshold, limit: mostHits, ...scopes });
  const items = hits.slice(offset, offset + limit).map(({ item, similarity }) => ({ ...item, similarity }));
  return { items, count: hits.length };
}
