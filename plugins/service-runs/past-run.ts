import type { RunEvent, RunLog, RunRecord } from "@pergola/sdk";

/** A run that this host does not work on: its stored events, and nothing more after them. */
export function pastRun(record: RunRecord, events: readonly RunEvent[]): RunLog {
  const { id, conversationId, status, model } = record;
  const end = events.find((event) => event.type === "end");
  const count = events.length;
  let restored = 0;
  if (status !== "ended") restored = count;
  return {
    id,
    conversationId,
    record,
    model: { modelId: end?.outcome.answeredBy?.modelId ?? model },
    count,
    restored,
    async *events(after = 0) {
      for (const [index, event] of events.slice(after).entries()) yield { number: after + index + 1, event };
    },
  };
}
