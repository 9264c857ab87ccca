/** Joins each item with the one before it where `merge` can; where it gives undefined, both stay. */
export function mergeNeighbours<T>(
  items: readonly T[],
  merge: (previous: T, next: T) => T | undefined,
): readonly T[] {
  const merged: T[] = [];
  for (const item of items) {
    const previous = merged.at(-1);
    const joined = previous && merge(previous, item);
    if (joined === undefined) merged.push(item);
    else merged[merged.length - 1] = joined;
  }
  return merged;
}
