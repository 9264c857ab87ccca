import {
  estimateTokens,
  type EndpointRequest,
  type LiveRun,
  type RunOutcome,
  type ServerEvent,
  type Usage,
} from "@pergola/sdk";
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

/** Stands for the usage until it is known: some clients read the input nowhere but at the start. */
function estimateOf({ request, sentTokens }: LiveRun): Usage {
  const { messages, callerTools } = request;
  const promptTokens = sentTokens ?? estimateTokens({ messages, tools: callerTools });
  return { promptTokens, completionTokens: 0 };
}

/** The events of a run as a message: start, blocks, end; or the error that cut it. */
export async function* streamMessage(
  live: LiveRun,
  { id: requestId, disconnect }: Pick<EndpointRequest, "id" | "disconnect">,
): AsyncIterable<ServerEvent> {
  const blocks = new Blocks();
  let begun = false;
  for await (const { event } of live.events(0, disconnect)) {
    if (event.type === "state") continue;
    if (!begun)
      yield frame("message_start", {
        message: messageHead(messageId(live), live.model.modelId, estimateOf(live)),
      });
    begun = true;
    if (event.type === "end") yield* closing(event.outcome, blocks, requestId);
    else yield* blocks.take(event);
  }
}
