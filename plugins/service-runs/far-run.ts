import type { RunLog, RunRecord } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import type { EventStore } from "./event-store.ts";
import type { OtherHosts } from "./other-hosts.ts";

/** Milliseconds after which new events are looked for where no notice of them came. */
const lookAgain = 1000;

interface FarRunOptions {
  readonly record: RunRecord;
  readonly events: EventStore;
  readonly others: OtherHosts;
}

/**
 * A run that another host works on: its events as that host stores them, until its end or until nobody works
 * on it any more.
 */
export async function farRun(
  parts: Parts,
  { record, events: store, others }: FarRunOptions,
): Promise<RunLog> {
  const { id, conversationId, model } = record;
  const { length: count } = await store.read(id);
  return {
    id,
    conversationId,
    record,
    model: { modelId: model },
    count,
    restored: count,
    async *events(after = 0) {
      for (let number = after; ;) {
        const isAtWork = await others.has(conversationId);
        const news = (await store.read(id)).slice(number);
        for (const event of news) {
          yield { number: ++number, event };
          if (event.type === "end") return;
        }
        if (news.length > 0) continue;
        if (!isAtWork) return;
        await changed(parts, id);
      }
    },
  };
}

/** Resolves when events of a run were stored, or after a second. */
async function changed({ stores: { storage } }: Parts, runId: string): Promise<void> {
  let unwatch!: () => void;
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, lookAgain);
    unwatch = storage.watch("run_events", ({ id }) => {
      if (id.startsWith(`${runId}/`)) resolve();
    });
  });
  clearTimeout(timer);
  unwatch();
}
