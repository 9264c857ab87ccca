import { compareText } from "@pergola/sdk";
import type { Fence, Parts, StoredRun } from "@pergola/sdk/host";
import type { Agents } from "./agents.ts";
import { endStored } from "./stored-runs.ts";

export const open = ["queued", "running", "waiting", "interrupted"] as const;
/** Of a storage, that are looked at. */
export const mostOpen = 100_000;
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

/** The runs that are this host's business, where there are several hosts, and the fences that it has. */
export interface OwnRuns {
  readonly ids: readonly string[];
  readonly fenceOf: (run: StoredRun) => Fence | undefined;
}

/**
 * Runs that were at work when the service stopped are interrupted, or ended where they are not to go on.
 * Gives back the interrupted ones, oldest first; those that are to be resumed now bring the runs below them.
 * All that are open where none are named. Rejects with `conflict` once another host has one of them.
 */
export async function recoverRuns(parts: Parts, agents: Agents, own?: OwnRuns): Promise<readonly LeftRun[]> {
  const { runs } = parts.stores;
  const fenceOf: OwnRuns["fenceOf"] = (run) => own?.fenceOf(run);
  const found = await findOpen(parts, own?.ids);
  await interrupt(
    parts,
    found.filter(({ status }) => status !== "interrupted"),
    fenceOf,
  );
  const policy = parts.preferences.get<string>("runs.resume");
  const left: LeftRun[] = [];
  for (const run of found.map(interrupted)) {
    const above = run.parentRunId === null ? undefined : await runs.get(run.parentRunId);
    if (run.cancelRequested === true || isOrphaned(run, above))
      await endStored(parts, run, { completionReason: "cancelled", error: null }, fenceOf(run));
    else if (policy === "never" && !(await waits(parts, agents, run.id)))
      await endStored(parts, run, { completionReason: "error", error: stopped }, fenceOf(run));
    else left.push({ run, resumes: policy === "auto" && above?.status !== "interrupted" });
  }
  return left;
}

/** Those that are open, or those of these, oldest first. */
async function findOpen(
  { stores: { runs } }: Parts,
  ids: readonly string[] | undefined,
): Promise<readonly StoredRun[]> {
  if (ids === undefined) return runs.find({ status: { in: open } }, { order: "createdAt", limit: mostOpen });
  const found = await runs.find({ id: { in: ids } }, { limit: ids.length });
  const isOpen = ({ status }: StoredRun): boolean => status !== "ended";
  return found.filter(isOpen).toSorted((a, b) => compareText(a.createdAt, b.createdAt));
}

const interrupted = (run: StoredRun): StoredRun => ({ ...run, status: "interrupted" });

/** In one commit; where hosts share the storage, in one for each fence. */
async function interrupt(
  { stores: { commit, storage } }: Parts,
  runs: readonly StoredRun[],
  fenceOf: OwnRuns["fenceOf"],
): Promise<void> {
  const writes = runs.map((run) => ({ collection: "runs", put: interrupted(run) }));
  if (storage.hosts === undefined) return commit(writes);
  for (const [at, run] of runs.entries()) await commit([writes[at]!], { fence: fenceOf(run) });
}

/** A person is asked by this run or by one below it. */
async function waits(parts: Parts, agents: Agents, runId: string): Promise<boolean> {
  if ((await parts.stores.approvals.count({ runId, status: "pending" })) > 0) return true;
  for (const { id } of await agents.interruptedOf(runId)) if (await waits(parts, agents, id)) return true;
  return false;
}
