import type { Write } from "@pergola/sdk";
import type { Stores } from "@pergola/sdk/host";

/**
 * The commits of a run, each on the condition that the one before was made: where a storage that was away for
 * one takes the next, a history would have a gap. `version`: of the run's record, 0 where it is not stored.
 */
export function inOrder(commit: Stores["commit"], runId: string, version: number): Stores["commit"] {
  let next = version;
  return (writes, options) => {
    const ifVersion = next;
    next += 1;
    const isRecord = (write: Write): boolean =>
      "put" in write && write.collection === "runs" && write.put.id === runId;
    return commit(
      writes.map((write) => (isRecord(write) ? { ...write, ifVersion } : write)),
      options,
    );
  };
}
