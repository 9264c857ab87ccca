import { defineRoute, wireRun, type RunLog, type RunRecord, type ServerEvent } from "@pergola/sdk";
import { runEventSchema } from "./answer-schemas.ts";
import { chunkWriter } from "./stream-run.ts";

type NamedEvent = Omit<ServerEvent, "id">;

const choices = { toolEvents: true, usage: true, legacyMetadata: false };

const stateOf = (run: RunRecord): NamedEvent => ({ event: "state", data: JSON.stringify(wireRun(run)) });

const endOf = ({ id, completionReason, error }: RunRecord): NamedEvent => ({
  event: "end",
  data: JSON.stringify({ runId: id, completion_reason: completionReason, error }),
});

/** All there is of a run whose events were deleted, or that was ended by a later start. */
function eventsOfRecord(run: RunRecord): readonly NamedEvent[] {
  const state = stateOf(run);
  if (run.status !== "ended") return [state];
  return [state, endOf(run)];
}

interface SourcedEvent {
  readonly event: NamedEvent;
  /** The number of the run's event that it comes from. */
  readonly of: number;
}

/** Every event of a run, always in the same order, so that a reader can resume anywhere. */
async function* eventsOf(log: RunLog, events = log.events()): AsyncIterable<SourcedEvent> {
  const chunksOf = chunkWriter(log, choices);
  for await (const { number: of, event } of events) {
    if (event.type === "state") yield { of, event: stateOf(event.run) };
    for (const data of chunksOf(event)) yield { of, event: { event: "chunk", data } };
    if (event.type !== "end") continue;
    yield { of, event: endOf(event.outcome.run) };
    return;
  }
  if (log.record.status !== "ended") return;
  for (const event of eventsOfRecord(log.record)) yield { of: log.count + 1, event };
}

/**
 * The number behind which a reader continues that has read up to `after`. A resumed run may not have reached
 * that number yet: it was given before a crash that lost its event. That reader gets everything since the
 * crash.
 */
async function resumeAfter(log: RunLog, after: number): Promise<number> {
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

async function* numberedEvents(log: RunLog, after: number, tooSlow: () => void): AsyncIterable<ServerEvent> {
  const from = await resumeAfter(log, after);
  let number = 0;
  for await (const { event } of eventsOf(log, log.events(0, tooSlow)))
    if (++number > from) yield { ...event, id: String(number) };
}

async function* numberedRecord(run: RunRecord): AsyncIterable<ServerEvent> {
  for (const [index, event] of eventsOfRecord(run).entries()) yield { ...event, id: String(index + 1) };
}

export const runEvents = defineRoute({
  method: "GET",
  path: "/api/runs/{runId}/events",
  scope: "read",
  summary: "Follow a run: what happened so far, then what happens",
  description:
    "Events are numbered from 1 without gaps, so that a reader can come back: state has the run, " +
    "chunk what a chat stream would carry, end the reason of the end. " +
    "Leaving the stream does not change the run.",
  params: { runId: { type: "string", description: "run_ and 32 hexadecimal digits" } },
  query: {
    after: {
      type: "integer",
      minimum: 0,
      description: "Start behind this event; also the header Last-Event-ID",
    },
  },
  answers: { 200: { "text/event-stream": runEventSchema } },
  failures: [],
  async handle({ params: { runId }, query, headers, disconnect }, { runs }) {
    const after = Number(query.after ?? headers["last-event-id"] ?? 0) || 0;
    const log = await runs.log(runId);
    if (log === undefined) return { events: numberedRecord(await runs.get(runId)) };
    return { events: numberedEvents(log, after, disconnect) };
  },
});
