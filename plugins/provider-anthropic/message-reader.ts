import type {
  AnswerEvents,
  AnswerFault,
  AnswerPart,
  FinishReason,
  JsonObject,
  ModelEvent,
  PartReader,
} from "@pergola/sdk";
import { UsageReader } from "./read-usage.ts";
import type { ReasoningBlock } from "./reasoning-block.ts";
import type { ToolNames } from "./tool-names.ts";

type Fields = AnswerPart;

/** A block of the answer that is not whole yet. */
type OpenBlock =
  | { readonly type: "tool"; readonly index: number; readonly input: unknown; json: string }
  | { readonly type: "thinking"; thinking: string; signature: string }
  | { readonly type: "redacted"; readonly data: string }
  | { readonly type: "other" };

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** `stop_reason` as the service calls it; what stands nowhere is `stop`. */
const finishReasons: Readonly<Record<string, FinishReason>> = {
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "content_filter",
};

/**
 * Turns the events of one message into those of a model; neighbouring pieces of text become one until they
 * are taken.
 */
export class MessageReader implements PartReader {
  readonly #events: AnswerEvents;
  readonly #names: Pick<ToolNames, "original">;
  readonly #usage = new UsageReader();
  readonly #blocks = new Map<unknown, OpenBlock>();
  readonly #thoughts: ReasoningBlock[] = [];
  #reason: string | undefined;
  #calls = 0;
  #stopped = false;
  #fault: AnswerFault | undefined;

  constructor(events: AnswerEvents, names: Pick<ToolNames, "original">) {
    this.#events = events;
    this.#names = names;
  }

  /** The vendor has said why it ended, or that nothing more comes. */
  get finished(): boolean {
    return this.#stopped || this.#reason !== undefined;
  }

  get complete(): boolean {
    return this.#stopped;
  }

  get fault(): AnswerFault | undefined {
    return this.#fault;
  }

  read(event: Fields): boolean {
    const { type, index } = event;
    if (type === "error" || isObject(event["error"])) this.#fault = { said: event };
    else if (type === "message_start") this.#start(event["message"]);
    else if (type === "content_block_start") this.#open(index, event["content_block"]);
    else if (type === "content_block_delta")
      this.#fault = this.#delta(index, event["delta"]) ? undefined : { damaged: event };
    else if (type === "content_block_stop") this.#close(index);
    else if (type === "message_delta") this.#finish(event["delta"], event["usage"]);
    else if (type === "message_stop") this.#stopped = true;
    return type !== "ping";
  }

  readWhole(message: Fields): boolean {
    if (message["type"] !== "message" && !Array.isArray(message["content"])) return false;
    for (const [index, block] of listOf(message["content"]).entries()) {
      this.#open(index, block);
      this.#close(index);
    }
    this.#finish(message, message["usage"]);
    this.#stopped = true;
    return true;
  }

  /** What is to be seen again, usage and end. */
  end(): readonly ModelEvent[] {
    const { usage } = this.#usage;
    const told = finishReasons[this.#reason ?? ""] ?? (this.#calls > 0 ? "tool_calls" : "stop");
    const extra: JsonObject = { reasoning_blocks: this.#thoughts };
    return [
      ...(this.#thoughts.length === 0 ? [] : [{ type: "extra", extra } as const]),
      ...(usage === undefined ? [] : [{ type: "usage", usage } as const]),
      { type: "end", reason: told },
    ];
  }

  #start(message: unknown): void {
    if (isObject(message)) this.#usage.read(message["usage"]);
  }

  #open(index: unknown, block: unknown): void {
    if (!isObject(block)) return;
    const { type } = block;
    this.#blocks.set(index, this.#opened(block));
    if (type === "text") this.#events.say("text", textOf(block["text"]));
    if (type === "thinking") this.#events.say("reasoning", textOf(block["thinking"]));
  }

  #opened(block: Fields): OpenBlock {
    const { type, input } = block;
    if (type === "thinking")
      return { type, thinking: textOf(block["thinking"]), signature: textOf(block["signature"]) };
    if (type === "redacted_thinking") return { type: "redacted", data: textOf(block["data"]) };
    if (type !== "tool_use") return { type: "other" };
    const call = {
      index: this.#calls++,
      id: textOf(block["id"]),
      name: this.#names.original(textOf(block["name"])),
    };
    this.#events.push({ type: "tool_call", ...call });
    return { type: "tool", index: call.index, input, json: "" };
  }

  /** False when it does not fit to what came before it. */
  #delta(index: unknown, delta: unknown): boolean {
    if (!isObject(delta)) return false;
    const block = this.#blocks.get(index);
    if (block === undefined) return false;
    const { type } = delta;
    if (type === "text_delta") this.#events.say("text", textOf(delta["text"]));
    if (type === "thinking_delta") this.#think(block, textOf(delta["thinking"]), "");
    if (type === "signature_delta") this.#think(block, "", textOf(delta["signature"]));
    if (type === "input_json_delta") this.#input(block, textOf(delta["partial_json"]));
    return true;
  }

  #think(block: OpenBlock, thinking: string, signature: string): void {
    this.#events.say("reasoning", thinking);
    if (block.type !== "thinking") return;
    block.thinking += thinking;
    block.signature += signature;
  }

  #input(block: OpenBlock, json: string): void {
    if (block.type !== "tool" || json === "") return;
    block.json += json;
    this.#events.push({ type: "tool_call", index: block.index, arguments: json });
  }

  /** A block is whole. A call whose input came all at once has no pieces. */
  #close(index: unknown): void {
    const block = this.#blocks.get(index);
    this.#blocks.delete(index);
    if (block?.type === "redacted" && block.data !== "")
      this.#thoughts.push({ type: "redacted_thinking", data: block.data });
    if (block?.type === "thinking" && block.signature !== "") {
      this.#thoughts.push({ type: "thinking", thinking: block.thinking, signature: block.signature });
    }
    if (
      block?.type === "tool" &&
      block.json === "" &&
      isObject(block.input) &&
      Object.keys(block.input).length > 0
    ) {
      this.#events.push({ type: "tool_call", index: block.index, arguments: JSON.stringify(block.input) });
    }
  }

  #finish(delta: unknown, usage: unknown): void {
    this.#usage.read(usage);
    const reason = isObject(delta) ? delta["stop_reason"] : undefined;
    if (typeof reason === "string" && reason !== "") this.#reason ??= reason;
  }
}
