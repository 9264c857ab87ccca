export function addCount<K>(counts: Map<K, number>, key: K, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** The key with the highest count; the first one of several. */
export function mostFrequent<K>(counts: ReadonlyMap<K, number>): K | undefined {
  const [first] = [...counts].toSorted(([, a], [, b]) => b - a);
  return first?.[0];
}
