import type { Fence, Parts, StoredRun } from "@pergola/sdk/host";
import type { Agents } from "./agents.ts";
import { endStored } from "./stored-runs.ts";

export const unfinished = ["queued", "running", "waiting"] as const;
const stopped = {
  message: "The service stopped during the run.",
  type: "server_error",
  code: "shutting_down",
};

/** The run above has ended, and this one was not to outlive it. */
const isOrphaned = ({ request }: StoredRun, above: StoredRun | undefined): boolean =>
  above?.status === "ended" && (request.parent?.outlived !== true || above.completionReason === "cancelled");

/** A run that is interrupted, and whether it is to go on now. */
export interface LeftRun {
  readonly run: StoredRun;
  readonly resumes: boolean;
}

/** Those of the runs that are this host's business, where there are several, and the fences that it has. */
export interface OwnRuns {
  readonly isOurs: (run: StoredRun) => boolean;
  readonly fenceOf: (run: StoredRun) => Fence | undefined;
}

/**
 * Runs that were at work when the service stopped are interrupted, or ended where they are not to go on.
 * Gives back the interrupted ones, oldest first; those that are to be resumed now bring the runs below them.
 * Rejects with `conflict` once another host has one of them.
 */
export async function recoverRuns(
  parts: Parts,
  agents: Agents,
  { isOurs, fenceOf }: OwnRuns = { isOurs: () => true, fenceOf: () => undefined },
): Promise<readonly LeftRun[]> {
  const { runs } = parts.stores;
  const cut = (await runs.find({ status: { in: unfinished } }, { limit: 100_000 })).filter(isOurs);
  await interrupt(parts, cut, fenceOf);
  const policy = parts.preferences.get<string>("runs.resume");
  const left: LeftRun[] = [];
  const all = await runs.find({ status: "interrupted" }, { order: "createdAt", limit: 100_000 });
  for (const run of all.filter(isOurs)) {
    const above = await runs.get(run.parentRunId ?? "");
    if (run.cancelRequested === true || isOrphaned(run, above))
      await endStored(parts, run, { completionReason: "cancelled", error: null }, fenceOf(run));
    else if (policy === "never" && !(await waits(parts, agents, run.id)))
      await endStored(parts, run, { completionReason: "error", error: stopped }, fenceOf(run));
    else left.push({ run, resumes: policy === "auto" && above?.status !== "interrupted" });
  }
  return left;
}

/** In one commit; where hosts share the storage, in one for each fence. */
async function interrupt(
  { stores: { commit, storage } }: Parts,
  runs: readonly StoredRun[],
  fenceOf: OwnRuns["fenceOf"],
): Promise<void> {
  const writes = runs.map((run) => ({ collection: "runs", put: { ...run, status: "interrupted" } }));
  if (storage.hosts === undefined) return commit(writes);
  for (const [at, run] of runs.entries()) await commit([writes[at]!], { fence: fenceOf(run) });
}

/** A person is asked by this run or by one below it. */
async function waits(parts: Parts, agents: Agents, runId: string): Promise<boolean> {
  if ((await parts.stores.approvals.count({ runId, status: "pending" })) > 0) return true;
  for (const { id } of await agents.interruptedOf(runId)) if (await waits(parts, agents, id)) return true;
  return false;
}
