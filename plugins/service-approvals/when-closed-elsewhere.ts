import type { Parts, StoredApproval } from "@pergola/sdk/host";

/** Milliseconds. */
const lookAgain = 1000;

/**
 * Tells when a question has got its final answer at another host on the same storage, or is gone with its
 * conversation, which cancels it. Returns the function
 * that ends the watch; with one host there is nothing to watch.
 */
export function whenClosedElsewhere(
  { stores }: Pick<Parts, "stores">,
  approval: StoredApproval,
  tell: (closed: StoredApproval) => void,
): () => void {
  const { storage, approvals } = stores;
  const { id } = approval;
  if (storage.hosts === undefined) return () => undefined;
  let isOver = false;
  let later: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    try {
      const found = (await approvals.get(id)) ?? { ...approval, status: "cancelled" };
      if (!isOver && found.status !== "pending") tell(found);
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
