import type { FileState } from "@pergola/sdk";
import type { Records, StoredChange } from "./records.ts";

const nameOf = ({ runId, revertId, callId }: StoredChange): string =>
  runId !== null ? `The run ${runId}` : revertId !== null ? `The revert ${revertId}` : `The call ${callId ?? ""}`;

/** Why a change cannot be taken back while this stands at its path. `chosen` are the changes that are taken back together. */
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
  const later = found.find(({ id, revertedBy, state }) => !chosen.has(id) && revertedBy === null && state === "done");
  if (later !== undefined && later.ownerId === change.ownerId) return `It was changed again later, by the change ${later.id}; revert that too.`;
  if (later !== undefined) return `${nameOf(later)} changed it later; revert that first.`;
  if (there === null) return "It is gone.";
  if (there.kind === "link" && change.after?.kind !== "link") return "A link stands there now.";
  return change.after === null ? "Something else stands there now." : "It has changed since.";
}
