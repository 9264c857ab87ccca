import type { RunEvent, RunLog, RunRecord } from "@pergola/sdk";

/** A run that this host does not work on: its stored events, and nothing more after them. */
export class PastRun implements RunLog {
  readonly id: string;
  readonly conversationId: string;
  readonly model: { readonly modelId: string };
  readonly count: number;
  readonly restored: number;
  readonly record: RunRecord;
  readonly #events: readonly RunEvent[];

  constructor(record: RunRecord, events: readonly RunEvent[]) {
    const end = events.find((event) => event.type === "end");
    this.id = record.id;
    this.conversationId = record.conversationId;
    this.record = record;
    this.model = { modelId: end?.outcome.answeredBy?.modelId ?? record.model };
    this.count = events.length;
    this.restored = 0;
    if (record.status !== "ended") this.restored = events.length;
    this.#events = events;
  }

  async *events(after = 0): AsyncIterable<{ readonly number: number; readonly event: RunEvent }> {
    for (const [index, event] of this.#events.slice(after).entries())
      yield { number: after + index + 1, event };
  }
}
