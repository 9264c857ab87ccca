import type { Entity, SearchDocument, Write } from "@pergola/sdk";
import type { StorageNames } from "@pergola/sdk/host";
import { hashOfBlob, hashOfDocument, recordAsText } from "./digest.ts";
import {
  blobPages,
  pagesOf,
  recordPages,
  type CollectionName,
  type SearchName,
  type WholeStorage,
} from "./read-all.ts";

/** Characters of records that are written in one commit, but for a single record that is longer. */
const mostAtOnce = 4_000_000;

export interface Move {
  readonly source: WholeStorage;
  readonly target: WholeStorage;
  readonly signal: AbortSignal;
  /** Is called with what was looked at since the last time, whether it had to be written or not. */
  readonly onCopied: (what: string, count: number) => void;
}

/**
 * Makes the target equal to the source: writes what is missing or other there, and removes what the source
 * does not have. Begun again, it goes on. Rejects with the signal's reason.
 */
export async function copyAll(move: Move, { collections, searches }: StorageNames): Promise<void> {
  for (const collection of collections) await copyRecords(move, collection);
  for (const search of searches) await copySearch(move, search);
  await copyBlobs(move);
}

async function copyRecords(move: Move, { name, indexes }: CollectionName): Promise<void> {
  const { source, target, signal, onCopied } = move;
  const from = source.collection<Entity>(name, { indexes });
  const to = target.collection<Entity>(name, { indexes });
  for await (const page of recordPages(from)) {
    signal.throwIfAborted();
    const found = await to.find({ id: { in: page.map(({ id }) => id) } });
    const there = new Map(found.map((record) => [record.id, recordAsText(record)]));
    const other = page.filter((record) => there.get(record.id) !== recordAsText(record));
    for (const writes of portions(name, other)) await target.commit(writes);
    onCopied(name, page.length);
  }
  if ((await to.count({})) === (await from.count({}))) return;
  for await (const page of recordPages(to)) {
    signal.throwIfAborted();
    const found = await from.find({ id: { in: page.map(({ id }) => id) } });
    const known = new Set(found.map(({ id }) => id));
    const gone = page.filter(({ id }) => !known.has(id));
    await target.commit(gone.map(({ id }) => ({ collection: name, delete: id })));
  }
}

function* portions(collection: string, records: readonly Entity[]): Generator<readonly Write[]> {
  let portion: Write[] = [];
  let length = 0;
  for (const put of records) {
    portion.push({ collection, put });
    length += recordAsText(put).length;
    if (length < mostAtOnce) continue;
    yield portion;
    [portion, length] = [[], 0];
  }
  if (portion.length > 0) yield portion;
}

/** The hashes of what the target has are held in memory: about 200 bytes for each document. */
async function copySearch(move: Move, { name, options }: SearchName): Promise<void> {
  const { source, target, signal, onCopied } = move;
  const there = new Map<string, string>();
  for await (const page of pagesOf((after) => target.contents.documents(name, after)))
    for (const document of page) there.set(document.id, hashOf(document));
  const search = target.search(name, options);
  for await (const page of pagesOf((after) => source.contents.documents(name, after))) {
    signal.throwIfAborted();
    const other = page.filter((document) => there.get(document.id) !== hashOf(document));
    if (other.length > 0) await search.index(other);
    for (const { id } of page) there.delete(id);
    onCopied(name, page.length);
  }
  if (there.size > 0) await search.remove([...there.keys()]);
}

const hashOf = (document: SearchDocument): string => hashOfDocument(document).toString("base64");

async function copyBlobs({ source, target, signal, onCopied }: Move): Promise<void> {
  for await (const ids of blobPages(source))
    for (const id of ids) {
      signal.throwIfAborted();
      const [bytes, there] = await Promise.all([source.blobs.get(id), target.blobs.get(id)]);
      const isThere = bytes && there && hashOfBlob(id, bytes).equals(hashOfBlob(id, there));
      if (bytes !== undefined && isThere !== true) await target.blobs.put(id, bytes);
      onCopied("blobs", 1);
    }
  for await (const ids of blobPages(target))
    for (const id of ids) {
      signal.throwIfAborted();
      const isKnown = (await source.blobs.get(id, { start: 0, end: 0 })) !== undefined;
      if (!isKnown) await target.blobs.delete(id);
    }
}
