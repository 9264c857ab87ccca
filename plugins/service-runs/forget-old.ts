import type { Parts } from "@pergola/sdk/host";
import type { EventStore } from "./event-store.ts";

const day = 86_400_000;

/**
 * At most once a minute: removes events that have had their time, and runs that ended and began more than
 * `runs.retention_days` ago.
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
    await stores.commit([
      { collection: "runs", deleteWhere: { status: "ended", createdAt: { gte: "", lt: oldest } } },
    ]);
  } catch (error) {
    log.warn({ error }, "old runs and their events could not be removed");
  }
}
