import {
  newId,
  type AnswerEvents,
  type AnswerFault,
  type FinishReason,
  type ModelEvent,
  type PartReader,
  type Usage,
} from "@pergola/sdk";
import { finishReasons } from "./finish-reasons.ts";
import { readUsage } from "./read-usage.ts";
import type { ThoughtSignatures } from "./thought-signatures.ts";
import { isObject, listOf, textOf, type Fields } from "./values.ts";

/**
 * Reads the chunks of an answer, and keeps the signatures that come with them. The format has no last event
 * of its own.
 */
export class ChunkReader implements PartReader {
  readonly #events: AnswerEvents;
  readonly #signatures: ThoughtSignatures;
  #reason: string | undefined;
  #finishMessage = "";
  #usage: Usage | undefined;
  #calls = 0;
  #text = "";
  #textSignature = "";
  #unknownParts = false;
  #error: Fields | undefined;

  constructor(events: AnswerEvents, signatures: ThoughtSignatures) {
    this.#events = events;
    this.#signatures = signatures;
  }

  /** Gemini has said why it ended. */
  get finished(): boolean {
    return this.#reason !== undefined;
  }

  /** How it ended, when there is no answer that could be used. */
  get fault(): AnswerFault | undefined {
    if (this.#error !== undefined) return { said: this.#error };
    if (this.#reason === undefined || finishReasons[this.#reason] !== "failed") return undefined;
    return { unfinished: this.#reason, message: this.#finishMessage };
  }

  read(chunk: Fields): boolean {
    if (isObject(chunk["error"])) this.#error = chunk;
    else this.#chunk(chunk);
    return true;
  }

  /** A proxy that does not stream makes a list of the chunks. */
  readWhole(document: Fields): boolean {
    const isAnswer = ["candidates", "promptFeedback", "usageMetadata"].some((field) => field in document);
    return isAnswer && this.read(document);
  }

  #chunk(chunk: Fields): void {
    this.#usage = readUsage(chunk["usageMetadata"]) ?? this.#usage;
    const { promptFeedback } = chunk;
    if (isObject(promptFeedback)) this.#blocked(textOf(promptFeedback["blockReason"]));
    for (const candidate of listOf(chunk["candidates"])) {
      if (isObject(candidate) && (candidate["index"] ?? 0) === 0) this.#candidate(candidate);
    }
  }

  /** Usage and end. */
  end(): readonly ModelEvent[] {
    if (this.#textSignature !== "") this.#signatures.keepForText(this.#text, this.#textSignature);
    const known = finishReasons[this.#reason ?? "STOP"];
    const strange: readonly ModelEvent[] =
      known === undefined
        ? [{ type: "warning", text: `Gemini ended its answer with ${this.#reason ?? "nothing"}` }]
        : [];
    const usage: readonly ModelEvent[] =
      this.#usage === undefined ? [] : [{ type: "usage", usage: this.#usage }];
    return [...strange, ...usage, { type: "end", reason: this.#finishReason(known) }];
  }

  /** A prompt that Gemini does not answer has no candidates. */
  #blocked(reason: string): void {
    if (reason === "" || reason === "BLOCK_REASON_UNSPECIFIED") return;
    this.#events.warn(`Gemini did not answer: the prompt was blocked (${reason})`);
    this.#reason ??= "PROHIBITED_CONTENT";
  }

  #candidate(candidate: Fields): void {
    const { content, finishReason: reason, finishMessage } = candidate;
    for (const part of listOf(isObject(content) ? content["parts"] : undefined))
      if (isObject(part)) this.#part(part);
    if (typeof reason !== "string" || reason === "" || reason === "FINISH_REASON_UNSPECIFIED") return;
    this.#reason ??= reason;
    this.#finishMessage = textOf(finishMessage);
  }

  #part(part: Fields): void {
    const { functionCall, text, thought, thoughtSignature } = part;
    const signature = textOf(thoughtSignature);
    if (isObject(functionCall)) return this.#call(functionCall, signature);
    if (thought !== true && signature !== "") this.#textSignature = signature;
    if (typeof text === "string") this.#say(thought === true ? "reasoning" : "text", text);
    else if (signature === "" && !this.#unknownParts) {
      this.#unknownParts = true;
      this.#events.warn("Gemini sent parts that are neither text nor calls; they were left out");
    }
  }

  /**
   * A call comes whole. Most models give no id, so it gets one: by it the call's signature is found again.
   */
  #call({ id: given, name, args }: Fields, signature: string): void {
    const id = textOf(given) || newId.toolCall();
    if (signature !== "") this.#signatures.keepForCall(id, signature);
    const event = {
      type: "tool_call",
      index: this.#calls++,
      id,
      name: textOf(name),
      arguments: JSON.stringify(args ?? {}),
    } as const;
    this.#events.push(event);
  }

  #say(type: "text" | "reasoning", text: string): void {
    if (type === "text") this.#text += text;
    this.#events.say(type, text);
  }

  #finishReason(told: FinishReason | "failed" | undefined): FinishReason {
    if (told === "length" || told === "content_filter") return told;
    return this.#calls > 0 ? "tool_calls" : "stop";
  }
}
