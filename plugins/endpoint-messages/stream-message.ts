import type { EndpointRequest, LiveRun, RunOutcome, ServerEvent, Usage } from "@pergola/sdk";
import { Blocks, frame } from "./blocks.ts";
import { wireFailure } from "./wire-failure.ts";
import { messageHead, messageId, serviceMetadata, stopOf, usageOf } from "./wire-message.ts";

function* closing(outcome: RunOutcome, blocks: Blocks, requestId: string): Iterable<ServerEvent> {
  const { error, run } = outcome;
  yield* blocks.end();
  if (error !== null) {
    yield frame("error", wireFailure(error, requestId));
    return;
  }
  const service_metadata = serviceMetadata(outcome, { streamed: true });
  yield frame("message_delta", { delta: stopOf(outcome), usage: usageOf(run.usage), service_metadata });
  yield frame("message_stop", {});
}

/**
 * The events of a run as a message: start, blocks, end; or the error that cut it. `estimate` stands for the
 * usage until it is known.
 */
export async function* streamMessage(
  live: LiveRun,
  estimate: Usage,
  { id: requestId, disconnect }: Pick<EndpointRequest, "id" | "disconnect">,
): AsyncIterable<ServerEvent> {
  const blocks = new Blocks();
  let begun = false;
  for await (const { event } of live.events(0, disconnect)) {
    if (event.type === "state") continue;
    if (!begun)
      yield frame("message_start", { message: messageHead(messageId(live), live.model.modelId, estimate) });
    begun = true;
    if (event.type === "end") yield* closing(event.outcome, blocks, requestId);
    else yield* blocks.take(event);
  }
}
