/** One page of a listing. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Where the next page begins; "" on the last. */
  readonly next: string;
}

/** Pages that are read at most, so that a server that never ends cannot hold a listing. */
const mostPages = 20;

/** Keeps one item of each id: the last, at the place of the first. */
export const uniqueById = <T extends { readonly id: string }>(items: readonly T[]): readonly T[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
];

/** All items of a paged listing, each id once. `load` gets "" for the first page. */
export async function collectPages<T extends { readonly id: string }>(
  load: (cursor: string) => Promise<Page<T>>,
): Promise<readonly T[]> {
  const items: T[] = [];
  let cursor = "";
  for (let count = 0; count < mostPages; count++) {
    const page = await load(cursor);
    for (const item of page.items) items.push(item);
    if (page.next === "" || page.next === cursor) break;
    cursor = page.next;
  }
  return uniqueById(items);
}
