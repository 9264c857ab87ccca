import type { Storage } from "@pergola/sdk";

const members = ["collection", "commit", "search", "blobs", "watch", "close"] as const;

/** The names that a thing does not have. */
export const missingIn = <N extends string>(thing: unknown, names: readonly N[]): readonly N[] =>
  names.filter((name) => (thing as Readonly<Partial<Record<N, unknown>>> | undefined)?.[name] === undefined);

/** What a storage that was opened lacks, as a sentence; undefined = nothing. */
export function lackOf(type: string, storage: Partial<Storage>): string | undefined {
  const missing = missingIn(storage, members);
  return missing.length === 0 ? undefined : `the storage "${type}" has no ${missing.join(", ")}`;
}
