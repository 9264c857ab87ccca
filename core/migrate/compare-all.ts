import { compareText, type Entity } from "@pergola/sdk";
import { DigestSum, hashOfBlob, hashOfDocument, hashOfRecord, type Digest } from "./digest.ts";
import type { Move } from "./copy-all.ts";
import {
  blobPages,
  namesIn,
  pagesOf,
  recordPages,
  type CollectionName,
  type WholeStorage,
} from "./read-all.ts";

/** One collection, one search, or all blobs, on both sides. */
export interface Compared {
  readonly kind: "collection" | "search" | "blobs";
  readonly name: string;
  readonly source: Digest;
  readonly target: Digest;
  readonly equal: boolean;
}

type Sides = Pick<Move, "source" | "target" | "signal">;
type Measure = (storage: WholeStorage) => Promise<Digest>;

/** Reads both storages again, whole, and compares counts and digests. Rejects with the signal's reason. */
export async function compareAll({ source, target, signal }: Sides): Promise<readonly Compared[]> {
  const [ours, theirs] = [await namesIn(source), await namesIn(target)];
  const collections = byName([...theirs.collections, ...ours.collections]);
  const searches = byName([...theirs.searches, ...ours.searches]);
  const compare = async (kind: Compared["kind"], name: string, measure: Measure): Promise<Compared> => {
    const [left, right] = await Promise.all([measure(source), measure(target)]);
    return { kind, name, source: left, target: right, equal: isEqual(left, right) };
  };
  const compared: Compared[] = [];
  for (const one of collections)
    compared.push(await compare("collection", one.name, (side) => recordsIn(side, one, signal)));
  for (const { name } of searches)
    compared.push(await compare("search", name, (side) => documentsIn(side, name, signal)));
  compared.push(await compare("blobs", "blobs", (side) => blobsIn(side, signal)));
  return compared;
}

const isEqual = (a: Digest, b: Digest): boolean => a.count === b.count && a.digest === b.digest;

const byName = <T extends { readonly name: string }>(named: readonly T[]): readonly T[] =>
  [...new Map(named.map((one) => [one.name, one])).values()].toSorted((a, b) => compareText(a.name, b.name));

async function recordsIn(
  storage: WholeStorage,
  { name, indexes }: CollectionName,
  signal: AbortSignal,
): Promise<Digest> {
  const sum = new DigestSum();
  for await (const page of recordPages(storage.collection<Entity>(name, { indexes }))) {
    signal.throwIfAborted();
    for (const record of page) sum.add(hashOfRecord(record));
  }
  return sum.value;
}

async function documentsIn({ contents }: WholeStorage, name: string, signal: AbortSignal): Promise<Digest> {
  const sum = new DigestSum();
  for await (const page of pagesOf((after) => contents.documents(name, after))) {
    signal.throwIfAborted();
    for (const document of page) sum.add(hashOfDocument(document));
  }
  return sum.value;
}

async function blobsIn(storage: WholeStorage, signal: AbortSignal): Promise<Digest> {
  const sum = new DigestSum();
  for await (const ids of blobPages(storage))
    for (const id of ids) {
      signal.throwIfAborted();
      const bytes = await storage.blobs.get(id);
      if (bytes !== undefined) sum.add(hashOfBlob(id, bytes));
    }
  return sum.value;
}
