import {
  defineRoute,
  metadataOf,
  wireRun,
  type RunLog,
  type RunRecord,
  type ServerEvent,
} from "@pergola/sdk";
import { Chunks } from "./chunks.ts";
import { identityOf } from "./start-run.ts";

const choices = { toolEvents: true, usage: true, legacyMetadata: false };
const endOf = ({ id, completionReason, error }: RunRecord) => ({
  runId: id,
  completion_reason: completionReason,
  error,
});

/**
 * What a run's record tells: all there is of one whose events were given up, or that was ended by a later
 * start.
 */
function* remains(run: RunRecord): Iterable<Omit<ServerEvent, "id">> {
  yield { event: "state", data: JSON.stringify(wireRun(run)) };
  if (run.status === "ended") yield { event: "end", data: JSON.stringify(endOf(run)) };
}

interface Told {
  readonly event: Omit<ServerEvent, "id">;
  /** The number of the run's event that it comes from. */
  readonly of: number;
}

/**
 * Every event of a run, numbered in the order in which they follow from it, so that a reader can come back
 * anywhere.
 */
async function* eventsOf(log: RunLog, events = log.events()): AsyncIterable<Told> {
  let chunks: Chunks | undefined;
  const identity = identityOf(log);
  for await (const { number: of, event } of events) {
    if (event.type === "state") {
      yield { of, event: { event: "state", data: JSON.stringify(wireRun(event.run)) } };
      continue;
    }
    if (chunks === undefined) {
      chunks = new Chunks({ ...identity, model: log.model.modelId });
      yield {
        of,
        event: { event: "chunk", data: chunks.role({ conversation_id: log.conversationId, run_id: log.id }) },
      };
    }
    if (event.type !== "end") {
      const data = chunks.of(event, choices);
      if (data !== undefined) yield { of, event: { event: "chunk", data } };
      continue;
    }
    for (const last of chunks.closing(event.outcome, metadataOf(event.outcome), choices))
      yield { of, event: { event: "chunk", data: last } };
    yield { of, event: { event: "end", data: JSON.stringify(endOf(event.outcome.run)) } };
    return;
  }
  if (log.record.status !== "ended") return;
  for (const event of remains(log.record)) yield { of: log.count + 1, event };
}

/**
 * Where a reader goes on that has had number `after`. A number that a resumed run has not come to yet was
 * given before a crash that lost its event: that reader is told everything since the crash.
 */
async function behind(log: RunLog, after: number): Promise<number> {
  if (after === 0 || log.restored === 0) return after;
  let [last, stored] = [0, 0];
  for await (const { of } of eventsOf(log, soFar(log))) {
    last++;
    if (of <= log.restored) stored = last;
  }
  return after > last ? stored : after;
}

async function* soFar(log: RunLog): ReturnType<RunLog["events"]> {
  const { count } = log;
  for await (const each of log.events()) {
    yield each;
    if (each.number === count) return;
  }
}

async function* numbered(log: RunLog, after: number): AsyncIterable<ServerEvent> {
  const from = await behind(log, after);
  let number = 0;
  for await (const { event } of eventsOf(log)) if (++number > from) yield { ...event, id: String(number) };
}

async function* alone(run: RunRecord): AsyncIterable<ServerEvent> {
  for (const [index, event] of [...remains(run)].entries()) yield { ...event, id: String(index + 1) };
}

export const runEvents = defineRoute({
  method: "GET",
  path: "/api/runs/{runId}/events",
  summary: "Follow a run: what happened so far, then what happens",
  params: { runId: { type: "string" } },
  query: {
    after: {
      type: "integer",
      minimum: 0,
      description: "Start behind this event; also the header Last-Event-ID",
    },
  },
  async handle({ params: { runId }, query, headers }, { runs }) {
    const after = Number(query.after ?? headers["last-event-id"] ?? 0) || 0;
    const log = await runs.log(runId);
    if (log === undefined) return { events: alone(await runs.get(runId)) };
    return { events: numbered(log, after) };
  },
});
