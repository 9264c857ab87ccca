import type { Parts } from "@pergola/sdk/host";
import { memoryPrefix, type OtherHosts } from "./other-hosts.ts";

/** Runs on all hosts that may use the memory of one topic at the same time and be known by it. */
const most = 1024;

/** Before the numbers of the names that runs have which use a topic's memory. */
const prefixOf = (topicId: string): string => `${memoryPrefix}${topicId}/`;

/**
 * Does work while the topic whose memory a request names is there; it stays, whichever host is asked to
 * delete it, until what this resolves to is called. Rejects with `not_found`.
 */
export async function withTopic(
  { topics }: Pick<Parts, "topics">,
  others: Pick<OtherHosts, "areThere" | "takeOne" | "release">,
  topicId: string | undefined,
  work: () => Promise<void>,
): Promise<() => void> {
  if (topicId === undefined || topics === undefined) return work().then(() => () => undefined);
  const fence = others.areThere ? await others.takeOne(prefixOf(topicId), most) : undefined;
  const release = (): void => {
    if (fence !== undefined) void others.release(fence);
  };
  try {
    await topics.withLock(topicId, async () => {
      await topics.get(topicId);
      await work();
    });
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

/** Whether a run at a host that is there uses the memory of a topic, which its request has named. */
export const isMemoryUsed = (others: Pick<OtherHosts, "hasAny">, topicId: string): Promise<boolean> =>
  others.hasAny(prefixOf(topicId), most);
