import type { Storage } from "@pergola/sdk";

/** Milliseconds after which a change is looked for where no notice of it came. */
const longest = 1000;

/** Resolves when a record of a collection was changed whose id fits, or deleted, or after a second. */
export async function nextChange(
  storage: Pick<Storage, "watch">,
  collection: string,
  isWanted: (id: string, deleted: boolean) => boolean,
): Promise<void> {
  let unwatch!: () => void;
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, longest);
    unwatch = storage.watch(collection, ({ id, deleted }) => {
      if (isWanted(id, deleted)) resolve();
    });
  });
  clearTimeout(timer);
  unwatch();
}
