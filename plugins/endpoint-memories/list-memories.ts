import {
  defined,
  type FromProperties,
  type MemoryFilter,
  type MemoryItem,
  type MemoryService,
  type Page,
} from "@pergola/sdk";
import { kinds, origins } from "./schemas.ts";

/** A memory, and how well it fits if it was searched for. */
export interface Listed extends MemoryItem {
  readonly similarity?: number;
}

/** Hits that are counted at most: those after them hardly answer the question. */
export const mostHits = 1000;

/** How many are read at a time to be counted. */
const pageSize = 1000;

export const listQuery = {
  conversationId: {
    type: "string",
    description: "UUID or alias; with a shared topic: what the topic remembers",
  },
  topicId: { type: "string", description: "What this topic remembers" },
  contentType: { type: "string", description: "Those of this content type" },
  tag: { type: "string", description: "Those with this tag" },
  kind: { enum: kinds, description: "Those of this kind" },
  origin: { enum: origins, description: "Those that come from there" },
  q: { type: "string", default: "", description: "Search by meaning and words" },
  threshold: {
    type: "number",
    minimum: 0,
    maximum: 1,
    default: 0.3,
    description: "The least similarity of what a search finds",
  },
  counts: { type: "boolean", default: false, description: "Also count them by scope, origin and kind" },
  limit: { type: "integer", minimum: 1, maximum: 1000, default: 50, description: "At most so many" },
  offset: { type: "integer", minimum: 0, default: 0, description: "How many to pass over" },
} as const;

export type ListQuery = FromProperties<typeof listQuery, never>;

type Counted = Pick<MemoryItem, "scope" | "origin" | "kind">;

const filterOf = ({ contentType, tag, kind, origin }: ListQuery): MemoryFilter =>
  defined({ contentType, tag, origin, kinds: kind && [kind] });

/** The page that is asked for: the newest first, or of a search the best. */
export async function list(memory: MemoryService, query: ListQuery, scope?: string): Promise<Page<Listed>> {
  const { limit, offset } = query;
  if (!isSearch(query)) return memory.list({ ...filterOf(query), ...defined({ scope }), limit, offset });
  const items = await search(memory, query, scope);
  return { items: items.slice(offset, offset + limit), count: items.length };
}

const isSearch = ({ q }: ListQuery): boolean => q.trim() !== "";

async function search(memory: MemoryService, query: ListQuery, scope?: string): Promise<readonly Listed[]> {
  const { q, threshold } = query;
  const scopes = scope === undefined ? undefined : [scope];
  const filter = { ...filterOf(query), ...defined({ scopes }) };
  const hits = await memory.search({ ...filter, query: q, threshold, limit: mostHits });
  return hits.map(({ item, similarity }) => ({ ...item, similarity }));
}

/**
 * How many memories match by scope, origin and kind. Each leaves its own filter out, so that it tells how
 * many there would be with another value.
 */
export async function countMemories(memory: MemoryService, query: ListQuery, scope?: string) {
  const { kind: _kind, origin: _origin, ...rest } = query;
  const chosen = defined({ scope, origin: query.origin, kind: query.kind });
  const all = isSearch(rest) ? await search(memory, rest) : await everything(memory, rest);
  return {
    scope: countBy("scope", all, chosen),
    origin: { ...zeros(origins), ...countBy("origin", all, chosen) },
    kind: { ...zeros(kinds), ...countBy("kind", all, chosen) },
  };
}

const zeros = (names: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(names.map((name) => [name, 0]));

async function everything(memory: MemoryService, query: ListQuery): Promise<readonly Counted[]> {
  const found: Counted[] = [];
  for (let offset = 0; ; offset += pageSize) {
    const { items } = await memory.list({ ...filterOf(query), limit: pageSize, offset });
    found.push(...items.map(({ scope, origin, kind }) => ({ scope, origin, kind })));
    if (items.length < pageSize) return found;
  }
}

function countBy(
  field: keyof Counted,
  items: readonly Counted[],
  chosen: Partial<Counted>,
): Readonly<Record<string, number>> {
  const others = (["scope", "origin", "kind"] as const).filter((one) => one !== field);
  const counts = new Map<string, number>();
  for (const item of items)
    if (others.every((one) => chosen[one] === undefined || chosen[one] === item[one]))
      counts.set(item[field], (counts.get(item[field]) ?? 0) + 1);
  return Object.fromEntries(counts);
}
