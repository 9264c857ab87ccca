import {
  defineRoute,
  wireRun,
  type RunEvent,
  type RunLog,
  type RunRecord,
  type ServerEvent,
} from "@pergola/sdk";
import { runEventSchema } from "./answer-schemas.ts";
import { Fragments, type Fragment } from "./fragments.ts";
import { chunkWriter } from "./stream-run.ts";

type NamedEvent = Omit<ServerEvent, "id">;

const choices = { toolEvents: true, usage: true, legacyMetadata: false };

const stateOf = (run: RunRecord): NamedEvent => ({ event: "state", data: JSON.stringify(wireRun(run)) });

const endOf = ({ id, completionReason, error }: RunRecord): NamedEvent => ({
  event: "end",
  data: JSON.stringify({ runId: id, completion_reason: completionReason, error }),
});

/** All there is of a run whose events were deleted, or that was ended or interrupted by a later start. */
function eventsOfRecord(run: RunRecord): readonly NamedEvent[] {
  const state = stateOf(run);
  if (run.status !== "ended") return [state];
  return [state, endOf(run)];
}

/** What one event of a run comes to on the wire. */
interface Step {
  /** The number of the run's event. */
  readonly of: number;
  readonly events: readonly NamedEvent[];
  /** Of which the last one carries this. */
  readonly fragment?: Fragment;
}

function stepOf(of: number, event: RunEvent, chunks: readonly string[]): Step {
  const events: NamedEvent[] = chunks.map((data) => ({ event: "chunk", data }));
  if (event.type === "state") return { of, events: [stateOf(event.run), ...events] };
  if (event.type === "end") return { of, events: [...events, endOf(event.outcome.run)] };
  if (event.type === "text" || event.type === "reasoning") return { of, events, fragment: event };
  return { of, events };
}

/** Every event of a run, always in the same order, so that a reader can resume anywhere. */
async function* stepsOf(log: RunLog, events = log.events()): AsyncIterable<Step> {
  const chunksOf = chunkWriter(log, choices);
  const { record } = log;
  let told: string | undefined;
  for await (const { number, event } of events) {
    yield stepOf(number, event, chunksOf(event));
    if (event.type === "end") return;
    if (event.type === "state") told = event.run.status;
  }
  const isTold = record.status === told || !["ended", "interrupted"].includes(record.status);
  if (!isTold) yield { of: log.count + 1, events: eventsOfRecord(record) };
}

/**
 * The number behind which a reader continues that has read up to `after`. A resumed run may not have reached
 * that number yet: it was given before a crash that lost its event. That reader gets everything since the
 * crash.
 */
async function resumeAfter(log: RunLog, after: number): Promise<number> {
  if (after === 0 || log.restored === 0) return after;
  let [last, stored] = [0, 0];
  for await (const { of, events } of stepsOf(log, soFar(log))) {
    last += events.length;
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

interface Reading {
  readonly after: number;
  /** Fragments of text side by side come as one, as far as they are replayed. */
  readonly merge: boolean;
}

async function* numberedEvents(
  log: RunLog,
  { after, merge }: Reading,
  tooSlow: () => void,
): AsyncIterable<ServerEvent> {
  const from = await resumeAfter(log, after);
  const replayed = merge ? log.count : 0;
  const fragments = new Fragments();
  let number = 0;
  for await (const { of, events, fragment } of stepsOf(log, log.events(0, tooSlow))) {
    for (const event of events) {
      if (++number <= from) continue;
      const text = event === events.at(-1) ? fragment : undefined;
      yield* fragments.take({ ...event, id: String(number) }, text, of < replayed);
    }
    if (of === replayed) yield* fragments.release();
  }
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
    merge: {
      type: "boolean",
      default: false,
      description:
        "Fragments of text side by side in what happened so far come as one, under the last number",
    },
  },
  answers: { 200: { "text/event-stream": runEventSchema } },
  failures: [],
  async handle({ params: { runId }, query, headers, disconnect }, { runs }) {
    const after = Number(query.after ?? headers["last-event-id"] ?? 0) || 0;
    const log = await runs.log(runId);
    if (log === undefined) return { events: numberedRecord(await runs.get(runId)) };
    return { events: numberedEvents(log, { after, merge: query.merge }, disconnect) };
  },
});
