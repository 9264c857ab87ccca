import type { ModelEvent } from "@pergola/sdk";
import { callEnd, callStart, firstOf, unfinishedLength, thoughts } from "./marks.ts";

export interface AnswerOptions {
  /** Calls are read only where tools are offered. */
  readonly calls: boolean;
  readonly stops: readonly string[];
  /** What the prompt has begun already. */
  readonly begun?: "reasoning" | "call";
}

/**
 * What the text so far asks of the one who writes it on. `rest`: what stands behind the opening mark of a
 * call already.
 */
export type Step =
  | { readonly type: "more" }
  | { readonly type: "stop" }
  | { readonly type: "call"; readonly rest: string }
  | { readonly type: "called" };

type Place = "text" | "reasoning" | "call";

const more: Step = { type: "more" };

/** Tells text, thoughts and calls apart in what a model writes, however its pieces are cut. */
export class AnswerReader {
  readonly #options: AnswerOptions;
  readonly #emit: (event: ModelEvent) => void;
  #place: Place;
  #end: string = thoughts[0]!.end;
  #pending = "";
  /** White space between thoughts or a call and the next word is none of the answer. */
  #trim = false;
  calls = 0;

  constructor(options: AnswerOptions, emit: (event: ModelEvent) => void) {
    this.#options = options;
    this.#emit = emit;
    this.#place = options.begun ?? "text";
  }

  get place(): Place {
    return this.#place;
  }

  push(text: string): Step {
    this.#pending += text;
    for (;;) {
      const marks = this.#marks();
      const found = firstOf(this.#pending, marks);
      if (found === undefined) break;
      const step = this.#pass(found);
      if (step !== more) return step;
    }
    if (this.#place !== "call")
      this.#emitText(this.#pending.length - unfinishedLength(this.#pending, this.#marks()));
    return more;
  }

  /** What is still held back. A call that was cut off is none. */
  end(): void {
    if (this.#place !== "call") this.#emitText(this.#pending.length);
    else if (this.#pending.trim() !== "")
      this.#emit({ type: "warning", text: "a tool call was cut off before its end and is left out" });
    this.#pending = "";
  }

  #marks(): readonly string[] {
    if (this.#place === "reasoning") return [this.#end];
    if (this.#place === "call") return [callEnd];
    const marks = [...this.#options.stops, ...thoughts.flatMap(({ start, end }) => [start, end])];
    if (this.#options.calls) marks.push(callStart);
    return marks;
  }

  #pass({ word, at }: { readonly word: string; readonly at: number }): Step {
    if (this.#place === "call") return this.#endCall(at);
    this.#emitText(at);
    this.#pending = this.#pending.slice(word.length);
    if (this.#options.stops.includes(word) && this.#place === "text") return { type: "stop" };
    if (word === callStart) return this.#beginCall();
    const opened = thoughts.find(({ start }) => start === word);
    this.#place = opened === undefined ? "text" : "reasoning";
    this.#end = opened?.end ?? this.#end;
    this.#trim ||= opened === undefined;
    return more;
  }

  #beginCall(): Step {
    this.#place = "call";
    const rest = this.#pending;
    this.#pending = "";
    return { type: "call", rest };
  }

  #endCall(at: number): Step {
    const text = this.#pending.slice(0, at);
    this.#pending = this.#pending.slice(at + callEnd.length);
    this.#place = "text";
    this.#trim = true;
    try {
      const { name, arguments: args = {} } = JSON.parse(text) as {
        readonly name?: unknown;
        readonly arguments?: unknown;
      };
      if (typeof name !== "string") throw new TypeError("it has no name");
      this.#emit({
        type: "tool_call",
        index: this.calls,
        name,
        arguments: typeof args === "string" ? args : JSON.stringify(args),
      });
      this.calls += 1;
    } catch {
      this.#emit({ type: "warning", text: "the model wrote a tool call that is not JSON" });
    }
    return { type: "called" };
  }

  #emitText(length: number): void {
    const piece = this.#pending.slice(0, length);
    this.#pending = this.#pending.slice(length);
    const type = this.#place === "reasoning" ? "reasoning" : "text";
    const text = this.#trim && type === "text" ? piece.trimStart() : piece;
    if (text === "") return;
    if (type === "text") this.#trim = false;
    this.#emit({ type, text });
  }
}
