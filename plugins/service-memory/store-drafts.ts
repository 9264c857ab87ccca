import type { MemoryDraft, RememberedMemory } from "@pergola/sdk";
import { makeItem, type ItemOrigin } from "./make-item.ts";
import { itemOf, type Records, type StoredItem } from "./records.ts";

/** Milliseconds in which the same content is the same memory. */
const foldedWithin = 300_000;

/** What the scope has already of what a draft asks for. */
async function sameAs(
  { items }: Records,
  made: StoredItem,
  { once = false }: ItemOrigin,
): Promise<StoredItem | undefined> {
  const { scope, digest, callId } = made;
  const [newest, ...older] = await items.find({ scope, digest }, { order: "-place" });
  if (newest === undefined || once) return newest;
  if (Date.parse(made.createdAt) - Date.parse(newest.createdAt) <= foldedWithin) return newest;
  if (callId === null) return undefined;
  return [newest, ...older].find((item) => item.callId === callId);
}

/** What a draft names or repeats: an item that is to be stored, or one that the scope has already. */
async function knownAs(
  records: Records,
  fresh: ReadonlyMap<string, StoredItem>,
  made: StoredItem,
  of: ItemOrigin,
): Promise<StoredItem | undefined> {
  if (made.kind === "kv") return fresh.get(made.id) ?? records.items.get(made.id);
  const same = [...fresh.values()].find(({ digest }) => digest === made.digest);
  return same ?? sameAs(records, made, of);
}

/** The items to store for some drafts, and what each of the drafts came to. */
export async function storeDrafts(
  records: Records,
  of: ItemOrigin,
  drafts: readonly MemoryDraft[],
  nextPlace: () => number,
): Promise<{ readonly fresh: readonly StoredItem[]; readonly stored: readonly RememberedMemory[] }> {
  const fresh = new Map<string, StoredItem>();
  const stored: RememberedMemory[] = [];
  for (const draft of drafts) {
    const made = makeItem(draft, of, nextPlace());
    const known = await knownAs(records, fresh, made, of);
    if (known?.digest === made.digest) {
      stored.push({ item: itemOf(known), duplicate: true });
      continue;
    }
    const item = { ...made, createdAt: known?.createdAt ?? made.createdAt };
    fresh.set(item.id, item);
    stored.push({ item: itemOf(item), duplicate: false });
  }
  return { fresh: [...fresh.values()], stored };
}
