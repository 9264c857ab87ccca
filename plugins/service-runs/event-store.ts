import { AppError, type RunEvent, type Write } from "@pergola/sdk";
import { pick, type Parts, type StoredEvent, type StoredEvents, type StoredRun } from "@pergola/sdk/host";
import { textsIn, unpackEvents } from "./packed-events.ts";
import { publicRun } from "./stored-runs.ts";

const collection = "run_events";
/** Milliseconds between two looks for events whose time is over. */
const pruneEvery = 60_000;

type Owner = Pick<StoredRun, "id" | "conversationId">;

/**
 * An event as it is stored: of a run what may be shown, of an outcome only what a reader of events can see
 * and what stands nowhere else, and its error as data.
 */
function storable(event: StoredEvent): StoredEvent {
  if (event.type === "state") return { ...event, run: publicRun(event.run as StoredRun) };
  if (event.type !== "end") return event;
  const { error, ...outcome } = event.outcome;
  const callerCalls = outcome.callerCalls.map((call) => ({ ...call, arguments: "" }));
  const run = publicRun(outcome.run as StoredRun);
  const lean = { ...outcome, run, callerCalls, text: "", reasoning: "", iterations: [], executions: [] };
  if (error === null) return { type: "end", outcome: { ...lean, error } };
  const plain = pick(error, "code", "message", "param", "details") as typeof error;
  return { type: "end", outcome: { ...lean, error: plain } };
}

function restored(event: RunEvent): RunEvent {
  if (event.type !== "end" || event.outcome.error === null) return event;
  return {
    type: "end",
    outcome: { ...event.outcome, error: new AppError(event.outcome.error) },
  };
}

/**
 * The write that stores a run's events from number `from` + 1 on; the last of a run also says when its time
 * began to run out.
 */
export function eventsWrite(
  { id, conversationId }: Owner,
  from: number,
  events: readonly StoredEvent[],
  endedAt: string | null,
): Write {
  const put: StoredEvents = {
    id: `${id}/${from}`,
    runId: id,
    conversationId,
    from,
    endedAt,
    events: events.map(storable),
  };
  return { collection, put };
}

/** The events of runs, in the store until `runs.event_retention_minutes` after the run's end. */
export class EventStore {
  readonly #parts: Parts;
  #pruned = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Minutes; 0 = they are not kept. */
  get retention(): number {
    return this.#parts.preferences.get<number>("runs.event_retention_minutes");
  }

  /** What ended before that has had its time; ISO 8601 in UTC. */
  get oldest(): string {
    return new Date(this.#parts.clock.now() - this.retention * 60_000).toISOString();
  }

  /**
   * All that is stored of a run, in order, or what was stored after so many; nothing when its time is over.
   */
  async read(runId: string, from = 0): Promise<readonly RunEvent[]> {
    const { runEvents } = this.#parts.stores;
    const batches = await runEvents.find({ runId, from: { gte: from } }, { order: "from", limit: 100_000 });
    const endedAt = batches.at(-1)?.endedAt ?? null;
    if (endedAt !== null && endedAt < this.oldest) return [];
    const packed = batches.flatMap(({ events }) => events);
    const textOf = await textsIn(packed, (id) => this.#parts.stores.messages.get(id));
    return unpackEvents(packed, textOf).map(restored);
  }

  /** Removes what has had its time, at most once a minute; false when it is too early for that. */
  async prune(): Promise<boolean> {
    const now = this.#parts.clock.now();
    if (now - this.#pruned < pruneEvery) return false;
    this.#pruned = now;
    const { runEvents, commit } = this.#parts.stores;
    for (;;) {
      const over = await runEvents.find({ endedAt: { gte: "", lt: this.oldest } }, { limit: 100 });
      if (over.length === 0) return true;
      await commit(over.map(({ runId }) => ({ collection, deleteWhere: { runId } })));
    }
  }
}
