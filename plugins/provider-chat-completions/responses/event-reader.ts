import {
  stringOf,
  type AnswerEvents,
  type AnswerFault,
  type FinishReason,
  type ModelEvent,
  type PartReader,
  type Usage,
} from "@pergola/sdk";
import {
  closingEvents,
  fieldsOf,
  finishReasonOf,
  isChatFailure,
  objectsOf,
  readChatUsage,
  valueAt,
  type Fields,
} from "@pergola/kit-provider";

/** What `incomplete_details.reason` means. */
const incompleteReasons: Readonly<Record<string, FinishReason>> = {
  max_output_tokens: "length",
  content_filter: "content_filter",
};

const textsOf = (parts: unknown): string =>
  objectsOf(parts)
    .map(({ text, refusal }) => stringOf(text) || stringOf(refusal))
    .join("");

interface Call {
  readonly index: number;
  /** Characters of its arguments that were handed on. */
  length: number;
}

/**
 * Reads the events of a response. Items are told apart by their place: their ids are not the same in all
 * events of some servers.
 */
export class EventReader implements PartReader {
  readonly endMark = "[DONE]";
  readonly #events: AnswerEvents;
  readonly #calls = new Map<number, Call>();
  /** The kinds of output so far. */
  readonly #output = new Set<ModelEvent["type"]>();
  #usage: Usage | undefined;
  #model = "";
  #reason: FinishReason | undefined;
  #fault: AnswerFault | undefined;

  readonly #readers: Readonly<Record<string, (event: Fields) => void>> = {
    "response.output_text.delta": ({ delta }) => this.#addText("text", stringOf(delta)),
    "response.refusal.delta": ({ delta }) => this.#addText("text", stringOf(delta)),
    "response.reasoning_summary_part.added": () => this.#separate("reasoning"),
    "response.reasoning_summary_text.delta": ({ delta }) => this.#addText("reasoning", stringOf(delta)),
    "response.reasoning_text.delta": ({ delta }) => this.#addText("reasoning", stringOf(delta)),
    "response.output_item.added": (event) => this.#beginItem(event),
    "response.output_item.done": (event) => this.#readCall(event),
    "response.function_call_arguments.delta": ({ output_index: place, delta }) =>
      this.#addArguments(Number(place), stringOf(delta)),
    "response.completed": ({ response }) => this.#finish(fieldsOf(response)),
    "response.incomplete": ({ response }) => this.#finish(fieldsOf(response)),
    "response.failed": ({ response }) =>
      (this.#fault = { error: valueAt(response, "error") ?? response ?? "the response failed" }),
    error: (event) => (this.#fault = { error: event }),
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

  read(event: Fields): boolean {
    const type = stringOf(event["type"]);
    if (isChatFailure(event)) this.#fault = { error: event };
    else if (Object.hasOwn(this.#readers, type)) this.#readers[type]?.(event);
    return true;
  }

  readWhole(document: Fields): boolean {
    if (!("output" in document)) return false;
    const type = document["status"] === "failed" ? "response.failed" : "response.completed";
    return this.read({ type, response: document });
  }

  end(): readonly ModelEvent[] {
    return closingEvents(this.#usage, this.#reason ?? "stop", this.#model);
  }

  #addText(type: "text" | "reasoning", text: string): void {
    if (text === "") return;
    this.#output.add(type);
    this.#events.addText(type, text);
  }

  /** Sets off two parts of a kind from one another by an empty line. */
  #separate(type: "text" | "reasoning"): void {
    if (this.#output.has(type)) this.#addText(type, "\n\n");
  }

  #beginItem(event: Fields): void {
    if (valueAt(event, "item.type") === "message") this.#separate("text");
    this.#readCall(event);
  }

  /** Begins a call, and hands on what of its arguments has not come in pieces. */
  #readCall({ item, output_index: index }: Fields): void {
    const { type, call_id: id, name, arguments: args } = fieldsOf(item);
    if (type !== "function_call") return;
    const place = Number(index);
    const call = this.#calls.get(place) ?? this.#beginCall(place, stringOf(id), stringOf(name));
    this.#addArguments(place, stringOf(args).slice(call.length));
  }

  #beginCall(place: number, id: string, name: string): Call {
    const call = { index: this.#calls.size, length: 0 };
    this.#calls.set(place, call);
    this.#events.push({ type: "tool_call", index: call.index, id, name });
    return call;
  }

  #addArguments(place: number, text: string): void {
    const call = this.#calls.get(place);
    if (call === undefined || text === "") return;
    call.length += text.length;
    this.#events.push({ type: "tool_call", index: call.index, arguments: text });
  }

  #finish(response: Fields): void {
    this.#usage = readChatUsage(response["usage"]);
    this.#model = stringOf(response["model"]);
    const isStreamed = this.#output.size > 0 || this.#calls.size > 0;
    if (!isStreamed) objectsOf(response["output"]).forEach((item, place) => this.#readItem(item, place));
    const reason = stringOf(valueAt(response, "incomplete_details.reason"));
    this.#reason = finishReasonOf(incompleteReasons[reason], this.#calls.size);
  }

  /** An item of an answer that did not come in pieces. */
  #readItem(item: Fields, place: number): void {
    const { type, content, summary } = item;
    if (type === "message") this.#addText("text", textsOf(content));
    if (type === "reasoning") this.#addText("reasoning", textsOf(summary));
    this.#readCall({ item, output_index: place });
  }
}
