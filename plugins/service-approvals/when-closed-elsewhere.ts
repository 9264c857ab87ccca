import type { Parts, StoredApproval } from "@pergola/sdk/host";

/** Milliseconds. */
const lookAgain = 1000;

/**
 * Tells when a question has got its final answer at another host on the same storage. Returns the function
 * that ends the watch; with one host there is nothing to watch.
 */
export function whenClosedElsewhere(
  { stores }: Pick<Parts, "stores">,
  id: string,
  tell: (closed: StoredApproval) => void,
): () => void {
  const { storage, approvals } = stores;
  if (storage.hosts === undefined) return () => undefined;
  let isOver = false;
  let later: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    try {
      const found = await approvals.get(id);
      if (!isOver && found !== undefined && found.status !== "pending") tell(found);
    } catch {
      // The database was away just now; what was missed is not told again.
      if (!isOver) later = setTimeout(() => void look(), lookAgain);
    }
  };
  const unwatch = storage.watch("approvals", (change) => {
    if (change.id === id) void look();
  });
  // It may have been answered before anybody listened.
  void look();
  return () => {
    isOver = true;
    clearTimeout(later);
    unwatch();
  };
}
