import { defined, type Page, type RunService } from "@pergola/sdk";
import type { Parts, StoredRun } from "@pergola/sdk/host";

/** A page of runs, the newest first: the stored ones, and before them those that are not stored yet. */
export async function listRuns(
  { conversations, stores: { runs } }: Parts,
  { limit = 1_000_000, offset = 0, from = "", ...filter }: Parameters<RunService["list"]>[0],
  unsaved: readonly StoredRun[],
): Promise<Page<StoredRun>> {
  const conversationId = filter.conversationId && conversations.idOf(filter.conversationId);
  const present = defined({ ...filter, conversationId });
  const matches = (run: StoredRun): boolean =>
    run.createdAt >= from &&
    Object.entries(present).every(([key, value]) => run[key as keyof StoredRun] === value);
  const query = { ...present, ...(from !== "" && { createdAt: { gte: from } }) };
  const [found, count] = await Promise.all([
    runs.find(query, { order: "-createdAt", limit, offset }),
    runs.count(query),
  ]);
  const stored = new Set(found.map(({ id }) => id));
  const fresh = unsaved.filter((run) => offset === 0 && matches(run));
  return {
    items: [...fresh.filter(({ id }) => !stored.has(id)), ...found].slice(0, limit),
    count: count + fresh.length,
  };
}
