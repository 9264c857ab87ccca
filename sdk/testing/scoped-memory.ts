import type { Clock, MemoryFilter, MemoryItem, ScopedMemory } from "@pergola/sdk";

const [foldedWithin, day] = [300_000, 86_400_000];

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

/** The share of the query's words that a text holds. */
function similarity(query: string, text: string): number {
  const [terms, words] = [wordsOf(query), wordsOf(text)];
  return terms.size === 0 ? 0 : [...terms].filter((word) => words.has(word)).length / terms.size;
}

/**
 * Memory of one scope for tests of operations: it finds by words, knows nothing of meaning, and has no
 * conversations to recall.
 */
export function scopedMemory(clock: Clock, scope: string): ScopedMemory {
  const items: MemoryItem[] = [];
  const matching = ({ kinds, key, contentType, tag, origin }: MemoryFilter): readonly MemoryItem[] =>
    items
      .filter((item) => kinds?.includes(item.kind) ?? true)
      .filter(
        (item) =>
          (key === undefined || item.key === key) &&
          (contentType === undefined || item.contentType === contentType),
      )
      .filter(
        (item) =>
          (tag === undefined || item.tags.includes(tag)) && (origin === undefined || item.origin === origin),
      )
      .toReversed();
  const remove = (gone: (item: MemoryItem) => boolean): number => {
    const rest = items.filter((item) => !gone(item));
    return items.splice(0, items.length, ...rest).length - rest.length;
  };
  return {
    store: async (drafts) =>
      drafts.map((draft) => {
        const createdAt = new Date(clock.now()).toISOString();
        const { kind = "memory", key = null, content } = draft;
        const same = items.find((item) => item.kind === kind && item.content === content && item.key === key);
        if (same !== undefined && clock.now() - Date.parse(same.createdAt) <= foldedWithin)
          return { item: same, duplicate: true };
        if (kind === "kv") remove((item) => item.kind === "kv" && item.key === key);
        const defaults = {
          contentType: "fact",
          tags: [],
          context: null,
          importance: 0.5,
          confidence: 1,
          metadata: {},
          source: null,
        };
        const own = {
          id: `mem_${clock.now()}_${items.length}`,
          scope,
          scopeKind: "conversation",
          kind,
          key,
          createdAt,
          updatedAt: createdAt,
        } as const;
        const item: MemoryItem = { ...defaults, ...draft, ...own };
        items.push(item);
        return { item, duplicate: false };
      }),
    search: async ({ query, limit = 10, threshold = 0.3, ...filter }) =>
      matching(filter)
        .map((item) => ({
          item,
          similarity: similarity(query, [item.key, item.content, ...item.tags, item.context].join(" ")),
        }))
        .filter((hit) => hit.similarity >= threshold && hit.similarity > 0)
        .toSorted((a, b) => b.similarity - a.similarity)
        .slice(0, limit),
    get: async (id) => items.find((item) => item.id === id),
    async list({ limit = 50, offset = 0, ...filter } = {}) {
      const found = matching(filter);
      return { items: found.slice(offset, offset + limit), count: found.length };
    },
    async update(id, changes) {
      const at = items.findIndex((item) => item.id === id);
      const found = items[at];
      return found && (items[at] = { ...found, ...changes, updatedAt: new Date(clock.now()).toISOString() });
    },
    delete: async (id) => remove((item) => item.id === id) > 0,
    async statistics() {
      const count = (kind: string): number => items.filter((item) => item.kind === kind).length;
      const types = items.map(({ kind, contentType }) => (kind === "memory" ? contentType : kind));
      return {
        total: items.length,
        byKind: {
          memory: count("memory"),
          kv: count("kv"),
          discovery: count("discovery"),
          solution: count("solution"),
          pattern: count("pattern"),
        },
        byType: Object.fromEntries(
          [...new Set(types)].map((type) => [type, types.filter((one) => one === type).length]),
        ),
        recent: items.filter(({ createdAt }) => clock.now() - Date.parse(createdAt) < day).length,
        meanImportance:
          items.length === 0 ? 0 : items.reduce((sum, { importance }) => sum + importance, 0) / items.length,
        lastUpdated:
          items
            .map(({ updatedAt }) => updatedAt)
            .toSorted()
            .at(-1) ?? null,
      };
    },
    async prune({ maxAgeDays, minConfidence, most }) {
      const newest = Object.entries(most).flatMap(([kind, limit]) =>
        items
          .filter((item) => item.kind === kind && item.confidence >= minConfidence)
          .filter(({ updatedAt }) => clock.now() - Date.parse(updatedAt) <= maxAgeDays * day)
          .toSorted((a, b) => b.confidence - a.confidence)
          .slice(0, limit),
      );
      const removed = remove((item) => item.kind in most && !newest.includes(item));
      return { removed, remaining: newest.length };
    },
    recall: async () => [],
  };
}
