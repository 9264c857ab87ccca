import type {
  EndpointRequest,
  LiveRun,
  RunEvent,
  RunOutcome,
  ServerEvent,
  ToolCall,
  Usage,
} from "@pergola/sdk";
import { wireFailure } from "./wire-failure.ts";
import {
  argumentsText,
  messageHead,
  messageId,
  serviceMetadata,
  stopOf,
  textBlock,
  thinkingBlock,
  toolBlock,
  usageOf,
} from "./wire-message.ts";

type BlockType = "text" | "thinking";

const frame = (event: string, data: object): ServerEvent => ({
  event,
  data: JSON.stringify({ type: event, ...data }),
});

const openings = { text: textBlock(""), thinking: thinkingBlock("") } as const;
const deltaOf = (type: BlockType, text: string): object =>
  type === "text" ? { type: "text_delta", text } : { type: "thinking_delta", thinking: text };

/** The blocks of one message, numbered; what comes in one kind in a row is one block. */
class Blocks {
  #index = -1;
  #open: BlockType | undefined;

  *say(type: BlockType, text: string): Iterable<ServerEvent> {
    if (this.#open !== type) {
      yield* this.close();
      yield this.#start(openings[type]);
      this.#open = type;
    }
    yield this.#delta(deltaOf(type, text));
  }

  *call(call: ToolCall): Iterable<ServerEvent> {
    yield* this.close();
    yield this.#start(toolBlock(call, {}));
    yield this.#delta({ type: "input_json_delta", partial_json: argumentsText(call) });
    yield this.#stop();
  }

  *close(): Iterable<ServerEvent> {
    if (this.#open !== undefined) yield this.#stop();
    this.#open = undefined;
  }

  #start(block: object): ServerEvent {
    return frame("content_block_start", { index: ++this.#index, content_block: block });
  }

  #delta(delta: object): ServerEvent {
    return frame("content_block_delta", { index: this.#index, delta });
  }

  #stop(): ServerEvent {
    return frame("content_block_stop", { index: this.#index });
  }
}

function* piecesOf(event: RunEvent, blocks: Blocks): Iterable<ServerEvent> {
  if (event.type === "text") yield* blocks.say("text", event.text);
  if (event.type === "reasoning") yield* blocks.say("thinking", event.text);
  if (event.type === "caller_call") yield* blocks.call(event.call);
}

function* closing(outcome: RunOutcome, blocks: Blocks, requestId: string): Iterable<ServerEvent> {
  const { error, run } = outcome;
  yield* blocks.close();
  if (error !== null) {
    yield frame("error", wireFailure(error, requestId));
    return;
  }
  const service_metadata = serviceMetadata(outcome);
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
    else yield* piecesOf(event, blocks);
  }
}
