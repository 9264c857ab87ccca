import { outcomeOf, type LiveRun, type ServerEvent, type Services } from "@pergola/sdk";
import type { ResponseBody } from "./body-schema.ts";
import { responseIdOf } from "./ids.ts";
import { responseOf, statusOf, type ResponseStatus } from "./response-object.ts";
import { ResponseWriter, type ResponseEvent } from "./response-writer.ts";

/** The last event of a stream; the format has none of its own for a run that was cancelled. */
const lastEvents: Readonly<Record<Exclude<ResponseStatus, "in_progress">, string>> = {
  completed: "response.completed",
  incomplete: "response.incomplete",
  cancelled: "response.incomplete",
  failed: "response.failed",
};

/** Every event of a response, from its making to its end, which comes once `settled` is. */
async function* eventsOf(
  body: ResponseBody,
  live: LiveRun,
  toolEvents: boolean,
  settled: Promise<void>,
): AsyncIterable<ResponseEvent> {
  const writer = new ResponseWriter(responseIdOf(live.id), { toolEvents });
  const begun = responseOf(body, live, []);
  yield { type: "response.created", response: begun };
  yield { type: "response.in_progress", response: begun };
  for await (const { event } of live.events()) {
    if (event.type !== "end") {
      yield* writer.take(event);
      continue;
    }
    yield* writer.end(event.outcome);
    await settled;
    const response = responseOf(body, live, writer.output, event.outcome);
    yield { type: lastEvents[statusOf(event.outcome) as keyof typeof lastEvents], response };
  }
}

/** The events as they go over the wire: named, and numbered from 0. */
export async function* streamResponse(
  body: ResponseBody,
  live: LiveRun,
  { preferences }: Services,
  settled: Promise<void>,
): AsyncIterable<ServerEvent> {
  let number = 0;
  for await (const { type, ...fields } of eventsOf(
    body,
    live,
    preferences.get<boolean>("stream.tool_events"),
    settled,
  )) {
    yield { event: type, data: JSON.stringify({ type, sequence_number: number++, ...fields }) };
  }
}

/** The whole response, once its run is stored. Rejects when the run failed before its first sign of life. */
export async function wholeResponse(
  body: ResponseBody,
  live: LiveRun,
  settled: Promise<void>,
): Promise<unknown> {
  await outcomeOf(live);
  let last: ResponseEvent | undefined;
  for await (const event of eventsOf(body, live, false, settled)) last = event;
  return last?.["response"];
}
