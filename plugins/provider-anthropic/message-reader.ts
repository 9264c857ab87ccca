import {
  isObject,
  stringOf,
  type AnswerEvents,
  type AnswerFault,
  type FinishReason,
  type ModelEvent,
  type PartReader,
} from "@pergola/sdk";
import { closingEvents, fieldsOf, finishReasonOf, listOf, type Fields } from "@pergola/kit-provider";
import { UsageReader } from "./read-usage.ts";
import { readReasoningBlock, type ReasoningBlock } from "./reasoning-block.ts";
import type { ToolNames } from "./tool-names.ts";

/** A block of the answer that is not whole yet; a call also has its number and its input in pieces. */
interface OpenBlock {
  readonly block: Fields;
  readonly call: { readonly index: number; hasInput: boolean } | undefined;
  thinking: string;
  signature: string;
}

/** What `stop_reason` means; an unknown one is `stop`, as `end_turn` and `stop_sequence` are. */
const finishReasons: Readonly<Record<string, FinishReason>> = {
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "content_filter",
};

/** Reads the events of one message. */
export class MessageReader implements PartReader {
  readonly #events: AnswerEvents;
  readonly #names: Pick<ToolNames, "originalName">;
  readonly #usage = new UsageReader();
  readonly #blocks = new Map<unknown, OpenBlock>();
  readonly #thinking: ReasoningBlock[] = [];
  #model = "";
  #reason: string | undefined;
  #calls = 0;
  #isStopped = false;
  #fault: AnswerFault | undefined;

  readonly #readers: Readonly<Record<string, (event: Fields) => void>> = {
    message_start: ({ message }) => this.#begin(fieldsOf(message)),
    content_block_start: ({ index, content_block: block }) => this.#open(index, block),
    content_block_delta: (event) => this.#readDelta(event),
    content_block_stop: ({ index }) => this.#close(index),
    message_delta: ({ delta, usage }) => this.#finish(delta, usage),
    message_stop: () => (this.#isStopped = true),
  };

  constructor(events: AnswerEvents, names: Pick<ToolNames, "originalName">) {
    this.#events = events;
    this.#names = names;
  }

  /** The vendor has said why the message ended, or that nothing more comes. */
  get finished(): boolean {
    return this.#isStopped || this.#reason !== undefined;
  }

  get complete(): boolean {
    return this.#isStopped;
  }

  get fault(): AnswerFault | undefined {
    return this.#fault;
  }

  read(event: Fields): boolean {
    const type = stringOf(event["type"]);
    if (type === "error" || isObject(event["error"])) this.#fault = { error: event };
    else if (Object.hasOwn(this.#readers, type)) this.#readers[type]?.(event);
    return type !== "ping";
  }

  readWhole(message: Fields): boolean {
    if (message["type"] !== "message" && !Array.isArray(message["content"])) return false;
    for (const [index, block] of listOf(message["content"]).entries()) {
      this.#open(index, block);
      this.#close(index);
    }
    this.#begin(message);
    this.#finish(message);
    this.#isStopped = true;
    return true;
  }

  /** Thinking to be sent again, usage and end. */
  end(): readonly ModelEvent[] {
    const reason = finishReasonOf(finishReasons[this.#reason ?? ""], this.#calls);
    const closing = closingEvents(this.#usage.usage, reason, this.#model);
    if (this.#thinking.length === 0) return closing;
    return [{ type: "extra", extra: { reasoning_blocks: this.#thinking } }, ...closing];
  }

  #begin({ model, usage }: Fields): void {
    this.#model = stringOf(model);
    this.#usage.read(usage);
  }

  #open(index: unknown, block: unknown): void {
    if (!isObject(block)) return;
    const { type, text } = block;
    const call = type === "tool_use" ? this.#openCall(block) : undefined;
    const thinking = stringOf(block["thinking"]);
    this.#blocks.set(index, { block, call, thinking, signature: stringOf(block["signature"]) });
    if (type === "text") this.#events.addText("text", stringOf(text));
    if (type === "thinking") this.#events.addText("reasoning", thinking);
  }

  #openCall({ id, name }: Fields): OpenBlock["call"] {
    const index = this.#calls++;
    const original = this.#names.originalName(stringOf(name));
    this.#events.push({ type: "tool_call", index, id: stringOf(id), name: original });
    return { index, hasInput: false };
  }

  /** A delta without an open block shows that something was lost. */
  #readDelta(event: Fields): void {
    const { delta } = event;
    const open = this.#blocks.get(event["index"]);
    if (open === undefined || !isObject(delta)) this.#fault = { damaged: event };
    else this.#applyDelta(open, delta);
  }

  #applyDelta(open: OpenBlock, delta: Fields): void {
    const { type } = delta;
    const thinking = stringOf(delta["thinking"]);
    if (type === "text_delta") this.#events.addText("text", stringOf(delta["text"]));
    if (type === "input_json_delta") this.#addInput(open, stringOf(delta["partial_json"]));
    if (type === "signature_delta") open.signature += stringOf(delta["signature"]);
    if (type !== "thinking_delta") return;
    open.thinking += thinking;
    this.#events.addText("reasoning", thinking);
  }

  #addInput({ call }: OpenBlock, json: string): void {
    if (call === undefined || json === "") return;
    call.hasInput = true;
    this.#events.push({ type: "tool_call", index: call.index, arguments: json });
  }

  /** A block is whole. A call whose input came all at once has no pieces. */
  #close(index: unknown): void {
    const open = this.#blocks.get(index);
    if (open === undefined) return;
    this.#blocks.delete(index);
    const { block, call, thinking, signature } = open;
    this.#thinking.push(...readReasoningBlock({ ...block, thinking, signature }));
    const { input } = block;
    const hasInput = isObject(input) && Object.keys(input).length > 0;
    if (call?.hasInput === false && hasInput) this.#addInput(open, JSON.stringify(input));
  }

  #finish(delta: unknown, usage?: unknown): void {
    this.#usage.read(usage);
    const reason = isObject(delta) && delta["stop_reason"];
    if (typeof reason === "string" && reason !== "") this.#reason ??= reason;
  }
}
