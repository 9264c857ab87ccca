import type { FileState } from "@pergola/sdk/host";
import type { Records, StoredChange } from "./records.ts";

const nameOf = ({ runId, callId }: StoredChange): string =>
  runId === null ? `The call ${callId ?? ""}` : `The run ${runId}`;

/**
 * Why a change cannot be taken back while this stands at its path. `chosen` are the changes that are taken
 * back together.
 */
export async function findReason(
  records: Records,
  change: StoredChange,
  there: FileState | null,
  chosen: ReadonlySet<string>,
): Promise<string> {
  const seq = { gte: change.seq + 1 };
  const found = [
    ...(await records.changes.find({ path: change.path, seq }, { order: "-seq", limit: 20 })),
    ...(await records.changes.find({ from: change.path, seq }, { order: "-seq", limit: 20 })),
  ];
  const isInForce = ({ id, revertedBy, revertId, state }: StoredChange): boolean =>
    !chosen.has(id) && revertedBy === null && revertId === null && state === "done";
  const later = found.find(isInForce);
  if (later !== undefined && later.ownerId === change.ownerId)
    return `It was changed again later, by the change ${later.id}; revert that too.`;
  if (later !== undefined) return `${nameOf(later)} changed it later; revert that first.`;
  if (there === null) return "It is gone.";
  if (there.kind === "link" && change.after?.kind !== "link") return "A link stands there now.";
  if (change.after === null) return "Something else stands there now.";
  return "It has changed since.";
}
