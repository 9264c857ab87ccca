const [mostPages, mostItems, longestItem] = [50, 256, 65_536];

/**
 * All that a server lists, page by page. What is too much is not there: an endless list ends, and a giant
 * item is left out.
 */
export async function listPages<T>(
  ask: (params: {
    readonly cursor?: string;
  }) => Promise<{ readonly items: readonly T[]; readonly next?: string }>,
): Promise<readonly T[]> {
  const found: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages && found.length < mostItems; page++) {
    const { items, next } = await ask(cursor === undefined ? {} : { cursor });
    found.push(...items.filter((item) => JSON.stringify(item).length <= longestItem));
    cursor = next;
    if (cursor === undefined) break;
  }
  return found.slice(0, mostItems);
}
