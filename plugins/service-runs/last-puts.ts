import type { Write } from "@pergola/sdk";

const keyOf = ({ collection, put }: Extract<Write, { readonly put: unknown }>): string =>
  `${collection} ${put.id}`;

/** The writes of a commit without those of records that a later one of them writes again. */
export function lastPuts(writes: readonly Write[]): readonly Write[] {
  const last = new Map<string, Write>();
  for (const write of writes) if ("put" in write) last.set(keyOf(write), write);
  return writes.filter(
    (write) => !("put" in write) || write.ifVersion !== undefined || last.get(keyOf(write)) === write,
  );
}
