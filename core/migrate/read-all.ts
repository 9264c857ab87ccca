import type { Collection, Entity, Storage, Stored } from "@pergola/sdk";
import type { ContentsPage, StorageContents, StorageNames } from "@pergola/sdk/host";
import { searchProgress } from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import { movingMark } from "./moving-mark.ts";

/** Records that are read at a time. */
export const recordsAtOnce = 200;

/** A storage whose content can be listed. */
export type WholeStorage = Storage & { readonly contents: StorageContents };

export type CollectionName = StorageNames["collections"][number];
export type SearchName = StorageNames["searches"][number];

/** Throws AppError for a backend that does not tell what it has. */
export function wholeStorage(storage: Storage, type: string): WholeStorage {
  if (storage.contents !== undefined) return storage as WholeStorage;
  throw fault("invalid_value", `The storage ${type} does not tell what it has, so nothing can be moved.`);
}

/** What moves to another storage. */
export async function namesIn({ contents }: WholeStorage): Promise<StorageNames> {
  const { collections, searches } = await contents.list();
  return { searches, collections: collections.filter(({ name }) => name !== searchProgress) };
}

/** Records in the order of their ids, some at a time. */
export async function* recordPages(
  collection: Collection<Entity>,
): AsyncGenerator<readonly Stored<Entity>[]> {
  for (let after: Entity | undefined; ;) {
    const page = await collection.find({}, { limit: recordsAtOnce, ...(after && { after }) });
    if (page.length > 0) yield page;
    if (page.length < recordsAtOnce) return;
    after = page.at(-1);
  }
}

/** Everything that a part of the contents gives page by page. */
export async function* pagesOf<T>(
  read: (after?: string) => Promise<ContentsPage<T>>,
): AsyncGenerator<readonly T[]> {
  for (let next: string | undefined; ;) {
    const page = await read(next);
    yield page.items;
    if (page.next === undefined) return;
    next = page.next;
  }
}

/** The ids of blobs, without the mark of a move. */
export async function* blobPages({ contents }: WholeStorage): AsyncGenerator<readonly string[]> {
  for await (const ids of pagesOf((after) => contents.blobs(after)))
    yield ids.filter((id) => id !== movingMark);
}

/** Whether there is nothing that a move could overwrite. */
export async function isEmpty(storage: WholeStorage): Promise<boolean> {
  const { collections, searches } = await storage.contents.list();
  for (const { name, indexes } of collections)
    if ((await storage.collection(name, { indexes }).count({})) > 0) return false;
  for (const { name } of searches)
    if ((await storage.contents.documents(name)).items.length > 0) return false;
  return (await storage.contents.blobs()).items.length === 0;
}
