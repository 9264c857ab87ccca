import type { MemoryItem, MemoryService } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";

/** Messages with which a run may begin: what its request brought. */
const mostBrought = 50;

/** Runs that are looked at at a time. */
const runsAtOnce = 50;

/**
 * The message of the person that each item comes from: the last one that the run which stored it began with.
 * Without those that come from no run, and those whose message is gone.
 */
export async function findSources(
  parts: Parts,
  items: readonly Pick<MemoryItem, "id" | "source">[],
): ReturnType<MemoryService["sources"]> {
  const runIds = [...new Set(items.flatMap(({ source }) => source?.runId ?? []))];
  const said = new Map<string, Awaited<ReturnType<typeof saidIn>>>();
  for (let at = 0; at < runIds.length; at += runsAtOnce)
    await Promise.all(
      runIds.slice(at, at + runsAtOnce).map(async (runId) => said.set(runId, await saidIn(parts, runId))),
    );
  return new Map(
    items.flatMap(({ id, source }) => {
      const message = said.get(source?.runId ?? "");
      if (message === undefined) return [];
      const { conversationId, id: messageId, timestamp: at } = message;
      return [[id, { conversationId, messageId, at }] as const];
    }),
  );
}

async function saidIn({ stores: { messages } }: Parts, runId: string) {
  const first = await messages.find({ runId }, { order: "seq", limit: mostBrought });
  return first.findLast(({ role }) => role === "user");
}
