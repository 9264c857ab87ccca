/**
 * Maps in the given order, with at most `width` at work at the same time. Rejects with the first failure,
 * once the others have ended.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(width, items.length) }, lane));
  const failed = lanes.find((one) => one.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return results;
}
