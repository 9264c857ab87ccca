import type { Write } from "@pergola/sdk";
import type { Parts, StoredRun } from "@pergola/sdk/host";
import type { EventStore } from "./event-store.ts";

const day = 86_400_000;
/** Runs that are removed in one commit. */
const pageSize = 100;

const removal = ({ id: runId, conversationId }: StoredRun): readonly Write[] => [
  { collection: "runs", delete: runId },
  { collection: "run_steps", deleteWhere: { conversationId, runId } },
];

/**
 * At most once a minute: removes events that have had their time, and runs that ended and began more than
 * `runs.retention_days` ago, with their steps.
 */
export async function forgetOld(
  { clock, log, preferences, stores }: Parts,
  events: EventStore,
): Promise<void> {
  try {
    if (!(await events.prune())) return;
    const days = preferences.get<number>("runs.retention_days");
    if (days === 0) return;
    const oldest = new Date(clock.now() - days * day).toISOString();
    for (let isOver = false; !isOver;) {
      const old = { status: "ended", createdAt: { gte: "", lt: oldest } } as const;
      const runs = await stores.runs.find(old, { limit: pageSize });
      if (runs.length > 0) await stores.commit(runs.flatMap(removal));
      isOver = runs.length < pageSize;
    }
  } catch (error) {
    log.warn({ error }, "old runs and their events could not be removed");
  }
}
