import { metadataOf, wireRun, type LiveRun, type Route, type RunRecord, type ServerEvent } from "@pergola/sdk";
import { Chunks } from "./chunks.ts";
import { identityOf } from "./start-run.ts";

const choices = { toolEvents: true, usage: true, legacyMetadata: false };
const endOf = ({ id, completionReason, error }: RunRecord) => ({ runId: id, completion_reason: completionReason, error });

/** Every event of a run, numbered in the order in which they follow from it, so that a reader can come back anywhere. */
async function* eventsOf(live: LiveRun): AsyncIterable<Omit<ServerEvent, "id">> {
  let chunks: Chunks | undefined;
  const identity = identityOf(live);
  for await (const { event } of live.events()) {
    if (event.type === "state") {
      yield { event: "state", data: JSON.stringify(wireRun(event.run)) };
      continue;
    }
    if (chunks === undefined) {
      chunks = new Chunks({ ...identity, model: live.model.modelId });
      yield { event: "chunk", data: chunks.role({ conversation_id: live.conversationId, run_id: live.id }) };
    }
    const data = event.type === "end" ? undefined : chunks.of(event, choices);
    if (data !== undefined) yield { event: "chunk", data };
    if (event.type !== "end") continue;
    for (const last of chunks.closing(event.outcome, metadataOf(event.outcome), choices)) yield { event: "chunk", data: last };
    yield { event: "end", data: JSON.stringify(endOf(event.outcome.run)) };
  }
}

async function* numbered(events: AsyncIterable<Omit<ServerEvent, "id">>, after: number): AsyncIterable<ServerEvent> {
  let number = 0;
  for await (const event of events) if (++number > after) yield { ...event, id: String(number) };
}

/** What is left of a run whose events were given up. */
async function* remains(run: RunRecord): AsyncIterable<Omit<ServerEvent, "id">> {
  yield { event: "state", data: JSON.stringify(wireRun(run)) };
  if (run.status === "ended") yield { event: "end", data: JSON.stringify(endOf(run)) };
}

export const runEvents: Route = {
  method: "GET",
  path: "/api/runs/{runId}/events",
  summary: "Follow a run: what happened so far, then what happens",
  params: { runId: { type: "string" } },
  query: { after: { type: "integer", minimum: 0, description: "Start behind this event; also the header Last-Event-ID" } },
  async handle({ params, query, headers }, { runs }) {
    const id = params["runId"] ?? "";
    const after = Number(query["after"] ?? headers["last-event-id"] ?? 0) || 0;
    const live = runs.live(id);
    return { events: live === undefined ? numbered(remains(await runs.get(id)), 0) : numbered(eventsOf(live), after) };
  },
};
