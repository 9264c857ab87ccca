import type { Records, StoredItem } from "./records.ts";

/** Milliseconds: what was stored within this time of an item tells what it is about. */
const within = 600_000;

/** How many items before and after. */
const span = 2;

type Position = Pick<StoredItem, "scope" | "kind" | "place" | "createdAt">;

/** Memories come in a stream of talk; values and long-term memories each stand for themselves. */
const stream = "memory";

/** The items stored shortly before and after, nearest first on both sides. */
export async function neighboursOf(
  { items }: Pick<Records, "items">,
  item: Position,
): Promise<readonly StoredItem[]> {
  const { scope, kind, place, createdAt } = item;
  if (kind !== stream) return [];
  const [before, after] = await Promise.all([
    items.find({ scope, kind, place: { lt: place } }, { order: "-place", limit: span }),
    items.find({ scope, kind, place: { gte: place + 1 } }, { order: "place", limit: span }),
  ]);
  const isClose = (other: StoredItem): boolean =>
    Math.abs(Date.parse(other.createdAt) - Date.parse(createdAt)) <= within;
  return [...before, ...after].filter(isClose);
}

/** Items, and those beside them, each once. */
export async function withNeighbours(
  records: Records,
  items: readonly StoredItem[],
): Promise<readonly StoredItem[]> {
  const neighbours = await Promise.all(items.map((item) => neighboursOf(records, item)));
  const byId = new Map([...items, ...neighbours.flat()].map((item) => [item.id, item]));
  return [...byId.values()];
}
