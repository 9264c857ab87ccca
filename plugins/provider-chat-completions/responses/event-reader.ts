import type { AnswerEvents, AnswerFault, FinishReason, ModelEvent, PartReader, Usage } from "@pergola/sdk";
import type { Fields } from "../format.ts";
import { isFailure } from "../read-failure.ts";
import { readUsage } from "../read-usage.ts";

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const textsOf = (parts: unknown): string =>
  listOf(parts)
    .map((part) => (isObject(part) ? textOf(part["text"]) || textOf(part["refusal"]) : ""))
    .join("");

/** How an answer was cut, where it was. */
const cuts: ReadonlyMap<string, FinishReason> = new Map([
  ["max_output_tokens", "length"],
  ["content_filter", "content_filter"],
]);

interface Call {
  readonly index: number;
  /** Characters of its arguments that were told. */
  told: number;
}

/**
 * Reads the events of a response. Items are told apart by their place: their ids are not the same in all
 * events of some servers.
 */
export class EventReader implements PartReader {
  readonly endMark = "[DONE]";
  readonly #events: AnswerEvents;
  readonly #calls = new Map<number, Call>();
  readonly #said = new Set<ModelEvent["type"]>();
  #usage: Usage | undefined;
  #reason: FinishReason | undefined;
  #fault: AnswerFault | undefined;

  readonly #handlers: Readonly<Record<string, (part: Fields) => void>> = {
    "response.output_text.delta": ({ delta }) => this.#say("text", textOf(delta)),
    "response.refusal.delta": ({ delta }) => this.#say("text", textOf(delta)),
    "response.reasoning_summary_part.added": () => this.#separate("reasoning"),
    "response.reasoning_summary_text.delta": ({ delta }) => this.#say("reasoning", textOf(delta)),
    "response.reasoning_text.delta": ({ delta }) => this.#say("reasoning", textOf(delta)),
    "response.output_item.added": (part) => this.#item(part, false),
    "response.output_item.done": (part) => this.#item(part, true),
    "response.function_call_arguments.delta": (part) =>
      this.#arguments(Number(part["output_index"]), textOf(part["delta"])),
    "response.completed": (part) => this.#end(part),
    "response.incomplete": (part) => this.#end(part),
    "response.failed": ({ response }) =>
      (this.#fault = { said: isObject(response) ? (response["error"] ?? response) : "the response failed" }),
    error: (part) => (this.#fault = { said: part }),
  };

  constructor(events: AnswerEvents) {
    this.#events = events;
  }

  get finished(): boolean {
    return this.#reason !== undefined;
  }

  get complete(): boolean {
    return this.finished;
  }

  get fault(): AnswerFault | undefined {
    return this.#fault;
  }

  read(part: Fields): boolean {
    const type = textOf(part["type"]);
    if (isFailure(part)) this.#fault = { said: part };
    else if (Object.hasOwn(this.#handlers, type)) this.#handlers[type]?.(part);
    return true;
  }

  readWhole(document: Fields): boolean {
    if (!("output" in document)) return false;
    return this.read({
      type: document["status"] === "failed" ? "response.failed" : "response.completed",
      response: document,
    });
  }

  end(): readonly ModelEvent[] {
    const end: ModelEvent = { type: "end", reason: this.#reason ?? "stop" };
    return this.#usage === undefined ? [end] : [{ type: "usage", usage: this.#usage }, end];
  }

  #say(type: "text" | "reasoning", text: string): void {
    if (text === "") return;
    this.#said.add(type);
    this.#events.say(type, text);
  }

  /** Two parts of a kind are set off from one another by an empty line. */
  #separate(type: "text" | "reasoning"): void {
    if (this.#said.has(type)) this.#say(type, "\n\n");
  }

  #item({ item, output_index: place }: Fields, isDone: boolean): void {
    if (!isObject(item)) return;
    if (item["type"] === "message" && !isDone) this.#separate("text");
    if (item["type"] === "function_call") this.#call(Number(place), item);
  }

  /** Opens a call, and tells what of its arguments has not come in pieces. */
  #call(place: number, { call_id: id, name, arguments: args }: Fields): void {
    if (!this.#calls.has(place)) {
      this.#calls.set(place, { index: this.#calls.size, told: 0 });
      this.#events.push({
        type: "tool_call",
        index: this.#calls.size - 1,
        id: textOf(id),
        name: textOf(name),
      });
    }
    this.#arguments(place, textOf(args).slice(this.#calls.get(place)?.told));
  }

  #arguments(place: number, text: string): void {
    const call = this.#calls.get(place);
    if (call === undefined || text === "") return;
    call.told += text.length;
    this.#events.push({ type: "tool_call", index: call.index, arguments: text });
  }

  #end({ response }: Fields): void {
    const { usage, incomplete_details: details, output } = isObject(response) ? response : {};
    this.#usage = readUsage(usage);
    if (this.#said.size === 0 && this.#calls.size === 0)
      listOf(output).forEach((item, place) => isObject(item) && this.#whole(item, place));
    const cut = isObject(details) ? cuts.get(textOf(details["reason"])) : undefined;
    this.#reason = cut ?? (this.#calls.size > 0 ? "tool_calls" : "stop");
  }

  /** An item of an answer that did not come in pieces. */
  #whole(item: Fields, place: number): void {
    if (item["type"] === "message") this.#say("text", textsOf(item["content"]));
    else if (item["type"] === "reasoning") this.#say("reasoning", textsOf(item["summary"]));
    else if (item["type"] === "function_call") this.#call(place, item);
  }
}
