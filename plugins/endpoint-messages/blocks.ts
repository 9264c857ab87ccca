import type { RunEvent, ServerEvent, ToolCall } from "@pergola/sdk";
import { argumentsText, textBlock, thinkingBlock, toolBlock } from "./wire-message.ts";

type BlockType = "text" | "thinking";

export const frame = (event: string, data: object): ServerEvent => ({
  event,
  data: JSON.stringify({ type: event, ...data }),
});

const openings = { text: textBlock(""), thinking: thinkingBlock("") } as const;
const deltaOf = (type: BlockType, text: string): object =>
  type === "text" ? { type: "text_delta", text } : { type: "thinking_delta", thinking: text };

interface OpenCall {
  readonly index: number;
  /** What has come of its arguments while it is not clear yet whether they are an object. */
  pending: string;
  isObject: boolean;
}

/**
 * The blocks of one message, numbered, one after the other. What comes in one kind in a row is one block; a
 * call's block goes on until the call is whole, and what comes meanwhile follows it.
 */
export class Blocks {
  #index = -1;
  #open: BlockType | undefined;
  #call: OpenCall | undefined;
  /** The run's numbers of the calls that have begun. */
  readonly #begun = new Set<number>();
  #waiting: RunEvent[] = [];

  *take(event: RunEvent): Iterable<ServerEvent> {
    if (this.#call !== undefined && !("index" in event && event.index === this.#call.index)) {
      this.#waiting.push(event);
      return;
    }
    if (event.type === "text") yield* this.#say("text", event.text);
    if (event.type === "reasoning") yield* this.#say("thinking", event.text);
    if (event.type === "caller_call_begun") yield* this.#begin(event.index, event.call);
    if (event.type === "caller_call_delta") yield* this.#extend(event.text);
    if (event.type === "caller_call") yield* this.#takeWhole(event.index, event.call);
  }

  /** Ends the block that is open, and writes what waits for that. */
  *close(): Iterable<ServerEvent> {
    if (this.#open !== undefined || this.#call !== undefined)
      yield frame("content_block_stop", { index: this.#index });
    this.#open = undefined;
    this.#call = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const event of waiting) yield* this.take(event);
  }

  /** Ends all blocks. */
  *end(): Iterable<ServerEvent> {
    while (this.#open !== undefined || this.#call !== undefined) yield* this.close();
  }

  *#say(type: BlockType, text: string): Iterable<ServerEvent> {
    if (this.#open !== type) {
      yield* this.close();
      yield this.#start(openings[type]);
      this.#open = type;
    }
    yield this.#delta(deltaOf(type, text));
  }

  *#begin(index: number, call: Pick<ToolCall, "id" | "name">): Iterable<ServerEvent> {
    yield* this.close();
    yield this.#start(toolBlock(call, {}));
    this.#begun.add(index);
    this.#call = { index, pending: "", isObject: false };
  }

  /** Clients read an object out of the pieces: nothing is handed on that begins otherwise. */
  *#extend(text: string): Iterable<ServerEvent> {
    const call = this.#call;
    if (call === undefined) return;
    const piece = call.pending + text;
    call.isObject ||= piece.trimStart().startsWith("{");
    call.pending = call.isObject ? "" : piece;
    if (call.isObject) yield this.#input(piece);
  }

  *#takeWhole(index: number, call: ToolCall): Iterable<ServerEvent> {
    if (!this.#begun.has(index)) yield* this.#begin(index, call);
    if (this.#call === undefined) return;
    if (!this.#call.isObject) yield this.#input(argumentsText(call));
    yield* this.close();
  }

  #input(json: string): ServerEvent {
    return this.#delta({ type: "input_json_delta", partial_json: json });
  }

  #start(block: object): ServerEvent {
    return frame("content_block_start", { index: ++this.#index, content_block: block });
  }

  #delta(delta: object): ServerEvent {
    return frame("content_block_delta", { index: this.#index, delta });
  }
}
