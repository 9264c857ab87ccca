import type { RunLog, RunRecord } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import type { EventStore } from "./event-store.ts";
import { nextChange } from "./next-change.ts";
import type { OtherHosts } from "./other-hosts.ts";

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
      for (let read = 0; ;) {
        const isAtWork = await others.has(conversationId);
        const news = await store.read(id, read);
        for (const event of news) {
          read += 1;
          if (read > after) yield { number: read, event };
          if (event.type === "end") return;
        }
        if (news.length > 0) continue;
        if (!isAtWork) return;
        await nextChange(parts.stores.storage, "run_events", (changed) => changed.startsWith(`${id}/`));
      }
    },
  };
}
