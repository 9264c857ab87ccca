import type { Parts } from "@pergola/sdk/host";

/** Does work while the topic whose memory a request names is there, and stays. Rejects with `not_found`. */
export async function withTopic(
  { topics }: Parts,
  topicId: string | undefined,
  work: () => Promise<void>,
): Promise<void> {
  if (topicId === undefined || topics === undefined) return work();
  await topics.withLock(topicId, async () => {
    await topics.get(topicId);
    await work();
  });
}
