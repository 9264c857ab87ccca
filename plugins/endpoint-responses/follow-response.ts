import {
  outcomeOf,
  type LiveRun,
  type RunLog,
  type RunOutcome,
  type ServerEvent,
  type Services,
} from "@pergola/sdk";
import { responseIdOf } from "./ids.ts";
import { responseOf, statusOf, type EndStatus } from "./response-object.ts";
import { ResponseWriter, type ResponseEvent } from "./response-writer.ts";

/** The last event of a stream; the format has none of its own for a run that was cancelled. */
const lastEvents: Readonly<Record<EndStatus, string>> = {
  completed: "response.completed",
  incomplete: "response.incomplete",
  cancelled: "response.incomplete",
  failed: "response.failed",
};

const atOnce = Promise.resolve();

interface Following {
  readonly toolEvents: boolean;
  readonly settled: Promise<void>;
  readonly tooSlow?: (() => void) | undefined;
}

/** Every event of a response, from its making to its end, which comes once `settled` is. */
async function* eventsOf(
  run: RunLog,
  { toolEvents, settled, tooSlow }: Following,
): AsyncIterable<ResponseEvent> {
  const writer = new ResponseWriter(responseIdOf(run.id), { toolEvents });
  const begun = { ...responseOf(run, []), status: "in_progress" };
  yield { type: "response.created", response: begun };
  yield { type: "response.in_progress", response: begun };
  for await (const { event } of run.events(0, tooSlow)) {
    if (event.type !== "end") {
      yield* writer.take(event);
      continue;
    }
    yield* writer.end(event.outcome);
    await settled;
    const response = responseOf(run, writer.output, event.outcome);
    yield { type: lastEvents[statusOf(event.outcome)], response };
  }
}

/** The events as they go over the wire: named, and numbered from 0; those behind number `after`. */
export async function* streamResponse(
  run: RunLog,
  { preferences }: Pick<Services, "preferences">,
  { settled = atOnce, after = -1, tooSlow }: Partial<Following> & { readonly after?: number } = {},
): AsyncIterable<ServerEvent> {
  let number = -1;
  const toolEvents = preferences.get<boolean>("stream.tool_events");
  for await (const { type, ...fields } of eventsOf(run, { toolEvents, settled, tooSlow })) {
    number += 1;
    if (number <= after) continue;
    yield { event: type, data: JSON.stringify({ type, sequence_number: number, ...fields }) };
  }
}

/** The stream of a response of which only the record is left: its last event alone. */
export async function* streamEnd(
  response: { readonly status: string },
  after = -1,
): AsyncIterable<ServerEvent> {
  const type = lastEvents[response.status as EndStatus] ?? "response.in_progress";
  yield { event: type, data: JSON.stringify({ type, sequence_number: after + 1, response }) };
}

/** A response that consists of the outcome's text alone: its run waits for the person. */
function responseOfText(live: LiveRun, outcome: RunOutcome): unknown {
  const writer = new ResponseWriter(responseIdOf(live.id), { toolEvents: false });
  writer.take({ type: "text", text: outcome.text });
  writer.end(outcome);
  return responseOf(live, writer.output, outcome);
}

/** The whole response, once its run is stored. Rejects when the run failed before its first sign of life. */
export async function wholeResponse(
  live: LiveRun,
  settled: Promise<void>,
  services: Pick<Services, "preferences">,
): Promise<unknown> {
  const outcome = await outcomeOf(live, services);
  if (outcome.run.status === "waiting") return responseOfText(live, outcome);
  let last: ResponseEvent | undefined;
  for await (const event of eventsOf(live, { toolEvents: false, settled })) last = event;
  return last?.["response"];
}
