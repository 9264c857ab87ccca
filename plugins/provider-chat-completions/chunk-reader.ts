import type { AnswerEvents, AnswerFault, FinishReason, ModelEvent, PartReader, Usage } from "@pergola/sdk";
import { finishReasons } from "./finish-reasons.ts";
import type { Fields } from "./format.ts";
import { isFailure } from "./read-failure.ts";
import { readUsage } from "./read-usage.ts";
import { ToolCallDeltas } from "./tool-call-deltas.ts";

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The text in a list of parts: `{ text }`, or `{ thinking: [{ text }] }`. */
const partsText = (parts: unknown, key: "text" | "thinking"): string =>
  listOf(parts)
    .map((part) => (isObject(part) ? textOf(part[key]) || partsText(part[key], "text") : ""))
    .join("");

function reasoningOf(delta: Fields): string {
  const plain =
    textOf(delta["reasoning_content"]) || textOf(delta["reasoning"]) || textOf(delta["reasoning_text"]);
  if (plain !== "") return plain;
  const details = listOf(delta["reasoning_details"]).map((detail) =>
    isObject(detail) ? textOf(detail["text"]) || textOf(detail["summary"]) : "",
  );
  return details.join("") || partsText(delta["content"], "thinking");
}

/** Reads the chunks of a chat completion. */
export class ChunkReader implements PartReader {
  /** Usage may come behind the reason for the end. */
  readonly endMark = "[DONE]";
  readonly #events: AnswerEvents;
  readonly #snapshots: boolean;
  readonly #calls = new ToolCallDeltas();
  #error: Fields | undefined;
  #isWhole = false;
  #reason: string | undefined;
  #usage: Usage | undefined;
  #spoke = false;
  /** The reasoning so far, while every piece of it was the whole of it; undefined once one was not. */
  #whole: string | undefined = "";

  constructor(events: AnswerEvents, snapshots: boolean) {
    this.#events = events;
    this.#snapshots = snapshots;
  }

  get finished(): boolean {
    return this.#isWhole || this.#reason !== undefined;
  }

  /** The reason for the end may be one. */
  get fault(): AnswerFault | undefined {
    if (this.#error !== undefined) return { said: this.#error };
    const reason = finishReasons[this.#reason ?? ""];
    return typeof reason === "number" ? { said: "the answer was broken off", status: reason } : undefined;
  }

  readWhole(document: Fields): boolean {
    this.#isWhole = "choices" in document;
    return this.#isWhole && this.read(document);
  }

  read(chunk: Fields): boolean {
    if (isFailure(chunk)) this.#error = chunk;
    else this.#chunk(chunk);
    return true;
  }

  end(): readonly ModelEvent[] {
    const end: ModelEvent = { type: "end", reason: this.#finishReason() };
    return this.#usage === undefined ? [end] : [{ type: "usage", usage: this.#usage }, end];
  }

  #chunk(chunk: Fields): void {
    this.#usage = readUsage(chunk["usage"]) ?? this.#usage;
    for (const choice of listOf(chunk["choices"])) {
      if (isObject(choice) && (choice["index"] ?? 0) === 0) this.#choice(choice);
    }
  }

  #choice(choice: Fields): void {
    const delta = choice["delta"] ?? (this.#spoke ? undefined : choice["message"]);
    if (isObject(delta)) this.#delta(delta);
    const reason = choice["finish_reason"];
    if (typeof reason === "string" && reason !== "") this.#reason ??= reason.toLowerCase();
  }

  #delta(delta: Fields): void {
    this.#say("reasoning", this.#newest(reasoningOf(delta)));
    const { content } = delta;
    this.#say("text", typeof content === "string" ? content : partsText(content, "text"));
    this.#say("text", textOf(delta["refusal"]));
    for (const call of listOf(delta["tool_calls"])) {
      const event = this.#calls.take(call);
      if (event === undefined) continue;
      this.#spoke = true;
      this.#events.push(event);
    }
  }

  #newest(reasoning: string): string {
    if (!this.#snapshots || this.#whole === undefined || reasoning === "") return reasoning;
    const before = this.#whole;
    this.#whole = reasoning.startsWith(before) ? reasoning : undefined;
    return this.#whole === undefined ? reasoning : reasoning.slice(before.length);
  }

  #say(type: "text" | "reasoning", text: string): void {
    this.#spoke ||= text !== "";
    this.#events.say(type, text);
  }

  #finishReason(): FinishReason {
    const told = finishReasons[this.#reason ?? "stop"];
    if (told === "length" || told === "content_filter") return told;
    return this.#calls.count > 0 ? "tool_calls" : "stop";
  }
}
