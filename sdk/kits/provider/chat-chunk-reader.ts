import {
  isObject,
  stringOf,
  type AnswerEvents,
  type AnswerFault,
  type ModelEvent,
  type PartReader,
  type Usage,
} from "@pergola/sdk";
import { closingEvents, finishReasonOf } from "./answer-end.ts";
import { isChatFailure } from "./chat-failure.ts";
import { chatFinishReasons } from "./chat-finish-reasons.ts";
import { listOf, objectsOf, type Fields } from "./json-values.ts";
import { readChatUsage } from "./read-chat-usage.ts";
import { ToolCallDeltas } from "./tool-call-deltas.ts";

/** The text in a list of parts: `{ text }`, or `{ thinking: [{ text }] }`. */
const partsText = (parts: unknown, key: "text" | "thinking"): string =>
  objectsOf(parts)
    .map((part) => stringOf(part[key]) || partsText(part[key], "text"))
    .join("");

function reasoningOf(delta: Fields): string {
  const fields = ["reasoning_content", "reasoning", "reasoning_text"];
  const plain = fields.map((field) => stringOf(delta[field])).find((text) => text !== "");
  if (plain !== undefined) return plain;
  const details = objectsOf(delta["reasoning_details"]).map(
    ({ text, summary }) => stringOf(text) || stringOf(summary),
  );
  return details.join("") || partsText(delta["content"], "thinking");
}

export interface ChatChunkOptions {
  /** Reasoning may come as the whole text so far instead of its newest piece. */
  readonly snapshots?: boolean | undefined;
}

/** Reads the chunks of a chat completion, for `streamAnswer` of the SDK. */
export class ChatChunkReader implements PartReader {
  /** Usage may come after the finish reason. */
  readonly endMark = "[DONE]";
  readonly #events: AnswerEvents;
  readonly #calls = new ToolCallDeltas();
  #error: Fields | undefined;
  #isDocument = false;
  #reason: string | undefined;
  #usage: Usage | undefined;
  #model = "";
  #hasOutput = false;
  /** The reasoning so far, as long as each piece repeats all of it; undefined once one did not. */
  #snapshot: string | undefined;

  constructor(events: AnswerEvents, { snapshots = false }: ChatChunkOptions = {}) {
    this.#events = events;
    this.#snapshot = snapshots ? "" : undefined;
  }

  get finished(): boolean {
    return this.#isDocument || this.#reason !== undefined;
  }

  /** Some finish reasons are failures. */
  get fault(): AnswerFault | undefined {
    if (this.#error !== undefined) return { error: this.#error };
    const reason = chatFinishReasons[this.#reason ?? ""];
    if (typeof reason !== "number") return undefined;
    return { error: "the answer was broken off", status: reason };
  }

  readWhole(document: Fields): boolean {
    this.#isDocument = "choices" in document;
    return this.#isDocument && this.read(document);
  }

  read(chunk: Fields): boolean {
    if (isChatFailure(chunk)) this.#error = chunk;
    else this.#readChunk(chunk);
    return true;
  }

  end(): readonly ModelEvent[] {
    const reason = chatFinishReasons[this.#reason ?? ""];
    const known = typeof reason === "number" ? undefined : reason;
    return closingEvents(this.#usage, finishReasonOf(known, this.#calls.count), this.#model);
  }

  #readChunk(chunk: Fields): void {
    this.#usage = readChatUsage(chunk["usage"]) ?? this.#usage;
    this.#model ||= stringOf(chunk["model"]);
    for (const choice of objectsOf(chunk["choices"])) {
      if ((choice["index"] ?? 0) === 0) this.#readChoice(choice);
    }
  }

  #readChoice({ delta, message, finish_reason: reason }: Fields): void {
    const piece = delta ?? (this.#hasOutput ? undefined : message);
    if (isObject(piece)) this.#readDelta(piece);
    if (typeof reason === "string" && reason !== "") this.#reason ??= reason.toLowerCase();
  }

  #readDelta(delta: Fields): void {
    const { content, refusal, tool_calls: calls } = delta;
    this.#addText("reasoning", this.#newReasoning(reasoningOf(delta)));
    this.#addText("text", stringOf(content) || partsText(content, "text"));
    this.#addText("text", stringOf(refusal));
    for (const call of listOf(calls)) {
      const event = this.#calls.take(call);
      if (event === undefined) continue;
      this.#hasOutput = true;
      this.#events.push(event);
    }
  }

  #newReasoning(reasoning: string): string {
    const before = this.#snapshot;
    if (before === undefined || reasoning === "") return reasoning;
    if (!reasoning.startsWith(before)) {
      this.#snapshot = undefined;
      return reasoning;
    }
    this.#snapshot = reasoning;
    return reasoning.slice(before.length);
  }

  #addText(type: "text" | "reasoning", text: string): void {
    this.#hasOutput ||= text !== "";
    this.#events.addText(type, text);
  }
}
