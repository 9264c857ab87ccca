import type { FinishReason, ModelEvent, ToolCall, Usage } from "../contract/provider.ts";
import type { StreamRedactor } from "./redaction.ts";
import { GrowingText } from "./growing-text.ts";
import { TextFilter, type TextPiece } from "./text-filter.ts";
import type { JsonObject } from "../util/json.ts";

/** Where the pieces of an answer go as they arrive. */
export interface StreamSink {
  text(piece: string): void;
  reasoning(piece: string): void;
  /** A call as far as it has come, and what of its arguments is new. */
  call(index: number, call: ToolCall, piece: string): void;
  warn(text: string): void;
}

/** Folds a provider's stream; text is emitted as it arrives, cleaned of what must not reach the person. */
export class StreamAccumulator {
  readonly #sink: StreamSink;
  readonly #filter = new TextFilter();
  readonly #textRedactor: StreamRedactor;
  readonly #reasoningRedactor: StreamRedactor;
  readonly #calls = new Map<number, { id: string; name: string; arguments: string }>();
  readonly #separate: boolean;
  readonly #text = new GrowingText();
  readonly #reasoning = new GrowingText();
  title: string | undefined;
  stopped = false;
  usage: Usage | undefined;
  finishReason: FinishReason = "stop";
  /** By the name that its provider gave. */
  responseModel: string | undefined;
  statefulMarker: string | undefined;
  extra: JsonObject | undefined;

  /**
   * `separate`: a text that comes is set off from the one before by an empty line. `redactor` makes one for
   * each of text and reasoning.
   */
  constructor(redactor: () => StreamRedactor, sink: StreamSink, separate: boolean) {
    this.#textRedactor = redactor();
    this.#reasoningRedactor = redactor();
    this.#sink = sink;
    this.#separate = separate;
  }

  get text(): string {
    return this.#text.toString();
  }

  get reasoning(): string {
    return this.#reasoning.toString();
  }

  take(event: ModelEvent): void {
    if (event.type === "text") for (const piece of this.#filter.push(event.text)) this.#takePiece(piece);
    else if (event.type === "reasoning") this.#addReasoning(this.#reasoningRedactor.push(event.text));
    else if (event.type === "tool_call") this.#addDelta(event);
    else if (event.type === "usage") this.usage = event.usage;
    else if (event.type === "warning") this.#sink.warn(event.text);
    else if (event.type === "marker") this.statefulMarker = event.statefulMarker;
    else if (event.type === "extra") this.extra = { ...this.extra, ...event.extra };
    else this.#end(event);
  }

  #end({ reason, model }: Extract<ModelEvent, { readonly type: "end" }>): void {
    this.finishReason = reason;
    this.responseModel = model;
  }

  /** Emits the text that was held back, where something else comes next that is to follow it. */
  flush(): void {
    for (const piece of this.#filter.flush()) this.#takePiece(piece);
    this.#addReasoning(this.#reasoningRedactor.end());
    this.#addText(this.#textRedactor.end());
  }

  /** The calls by their index, in order. */
  finish(): ReadonlyMap<number, ToolCall> {
    for (const piece of this.#filter.end()) this.#takePiece(piece);
    this.#addReasoning(this.#reasoningRedactor.end());
    this.#addText(this.#textRedactor.end());
    const calls = [...this.#calls.entries()].toSorted(([a], [b]) => a - b);
    return new Map(calls.map(([index, call]) => [index, { ...call, arguments: call.arguments || "{}" }]));
  }

  #takePiece(piece: TextPiece): void {
    if (piece.type === "stop") this.stopped = true;
    else if (piece.type === "reasoning") this.#addReasoning(this.#reasoningRedactor.push(piece.text));
    else if (piece.type === "title") this.title = piece.text;
    else if (piece.type === "tool_call") this.#addWrittenCall(piece.text);
    else this.#addText(this.#textRedactor.push(piece.text));
  }

  #addText(text: string): void {
    if (text === "") return;
    if (this.#text.length === 0 && this.#separate) this.#sink.text("\n\n");
    this.#text.add(text);
    this.#sink.text(text);
  }

  #addReasoning(text: string): void {
    if (text === "") return;
    this.#reasoning.add(text);
    this.#sink.reasoning(text);
  }

  #addDelta({ index, id, name, arguments: piece = "" }: Extract<ModelEvent, { type: "tool_call" }>): void {
    let call = this.#calls.get(index);
    if (call === undefined) {
      call = { id: "", name: "", arguments: "" };
      this.#calls.set(index, call);
    }
    call.id ||= id ?? "";
    call.name ||= name ?? "";
    call.arguments += piece;
    this.#sink.call(index, call, piece);
  }

  /** A call written as text by a model without native calls. */
  #addWrittenCall(text: string): void {
    try {
      const { name, arguments: args = {} } = JSON.parse(text) as { name?: unknown; arguments?: unknown };
      if (typeof name === "string")
        this.#addDelta({
          type: "tool_call",
          index: this.#calls.size,
          name,
          arguments: JSON.stringify(args),
        });
    } catch {
      this.#sink.warn("the model wrote a tool call that is not JSON");
    }
  }
}
