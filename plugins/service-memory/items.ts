import {
  defined,
  type Filter,
  type MemoryFilter,
  type MemoryItem,
  type MemoryKind,
  type MemoryPage,
  type Page,
} from "@pergola/sdk";
import type { MemoryStatistics } from "@pergola/sdk/host";
import { itemOf, kinds, type Records, type StoredItem } from "./records.ts";

const pageSize = 500;
const day = 86_400_000;

/** What a filter asks of the records; whether the tag is there has to be looked at one by one. */
function conditions({
  scope,
  kinds,
  key,
  contentType,
  origin,
}: MemoryFilter & { readonly scope?: string }): Filter<StoredItem> {
  const [only, ...others] = kinds ?? [];
  let kind: Filter<StoredItem>["kind"] = kinds && { in: kinds };
  if (only !== undefined && others.length === 0) kind = only;
  const filter = defined({ scope, kind, key, contentType, origin });
  if (scope !== undefined) return filter;
  return { ...filter, place: { gte: 0 } };
}

/** Whether an item that was found by its meaning passes a filter. */
export const passes = (item: MemoryItem, { kinds, key, contentType, tag, origin }: MemoryFilter): boolean =>
  (kinds?.includes(item.kind) ?? true) &&
  (key === undefined || item.key === key) &&
  (contentType === undefined || item.contentType === contentType) &&
  (tag === undefined || item.tags.includes(tag)) &&
  (origin === undefined || item.origin === origin);

/** All items that pass a filter, newest first, a page at a time. */
export async function* itemsIn(
  { items }: Records,
  filter: MemoryFilter & { readonly scope?: string },
  limit = pageSize,
): AsyncGenerator<StoredItem> {
  for (let after: StoredItem | undefined; ;) {
    const page = await items.find(conditions(filter), { order: "-place", limit, ...(after && { after }) });
    yield* page.filter((item) => passes(item, filter));
    after = page.at(-1);
    if (after === undefined || page.length < limit) return;
  }
}

/** The first of the items that pass a filter, newest first. */
export async function newestItems(
  records: Records,
  filter: MemoryFilter & { readonly scope: string },
  limit: number,
): Promise<readonly MemoryItem[]> {
  const found: MemoryItem[] = [];
  if (limit <= 0) return found;
  for await (const item of itemsIn(records, filter, Math.min(limit, pageSize))) {
    found.push(itemOf(item));
    if (found.length >= limit) break;
  }
  return found;
}

/** Newest first. */
export async function listItems(
  records: Records,
  page: MemoryPage & { readonly scope?: string },
): Promise<Page<MemoryItem>> {
  const { limit = 50, offset = 0, tag, ...filter } = page;
  if (tag === undefined) {
    const where = conditions(filter);
    const [found, count] = await Promise.all([
      records.items.find(where, { order: "-place", offset, limit }),
      records.items.count(where),
    ]);
    return { items: found.map(itemOf), count };
  }
  const found: MemoryItem[] = [];
  let count = 0;
  for await (const item of itemsIn(records, page)) {
    if (count >= offset && found.length < limit) found.push(itemOf(item));
    count++;
  }
  return { items: found, count };
}

export async function statisticsOf(records: Records, scope: string, now: number): Promise<MemoryStatistics> {
  const byKind = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<MemoryKind, number>;
  const byType: Record<string, number> = {};
  let total = 0;
  let recent = 0;
  let importance = 0;
  let lastUpdated = "";
  for await (const item of itemsIn(records, { scope })) {
    const type = typeOf(item);
    byKind[item.kind] += 1;
    byType[type] = (byType[type] ?? 0) + 1;
    total += 1;
    importance += item.importance;
    if (now - Date.parse(item.createdAt) < day) recent += 1;
    if (item.updatedAt > lastUpdated) lastUpdated = item.updatedAt;
  }
  return {
    total,
    byKind,
    byType,
    recent,
    meanImportance: importance / Math.max(1, total),
    lastUpdated: lastUpdated || null,
  };
}

function typeOf({ kind, contentType }: MemoryItem): string {
  if (kind === "memory") return contentType;
  return kind;
}
