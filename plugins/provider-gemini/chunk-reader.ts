import {
  isObject,
  newId,
  stringOf,
  type AnswerEvents,
  type AnswerFault,
  type ModelEvent,
  type PartReader,
  type Usage,
} from "@pergola/sdk";
import { closingEvents, fieldsOf, finishReasonOf, objectsOf, type Fields } from "@pergola/kit-provider";
import { finishReasons } from "./finish-reasons.ts";
import { readUsage } from "./read-usage.ts";
import type { ThoughtSignatures } from "./thought-signatures.ts";

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
  #model = "";
  #calls = 0;
  #text = "";
  #textSignature = "";
  #hasUnknownParts = false;
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
    if (this.#error !== undefined) return { error: this.#error };
    if (this.#reason === undefined || finishReasons[this.#reason] !== "failed") return undefined;
    return { unfinished: this.#reason, message: this.#finishMessage };
  }

  read(chunk: Fields): boolean {
    if (isObject(chunk["error"])) this.#error = chunk;
    else this.#readChunk(chunk);
    return true;
  }

  /** A proxy that does not stream makes a list of the chunks. */
  readWhole(document: Fields): boolean {
    const isAnswer = ["candidates", "promptFeedback", "usageMetadata"].some((field) => field in document);
    return isAnswer && this.read(document);
  }

  /** Usage and end. */
  end(): readonly ModelEvent[] {
    if (this.#textSignature !== "") this.#signatures.addForText(this.#text, this.#textSignature);
    const reason = finishReasons[this.#reason ?? "STOP"];
    const known = reason === "failed" ? undefined : reason;
    const closing = closingEvents(this.#usage, finishReasonOf(known, this.#calls), this.#model);
    if (reason !== undefined) return closing;
    return [{ type: "warning", text: `Gemini ended its answer with ${this.#reason}` }, ...closing];
  }

  #readChunk(chunk: Fields): void {
    this.#usage = readUsage(chunk["usageMetadata"]) ?? this.#usage;
    this.#model ||= stringOf(chunk["modelVersion"]);
    this.#readBlock(stringOf(fieldsOf(chunk["promptFeedback"])["blockReason"]));
    for (const candidate of objectsOf(chunk["candidates"])) {
      if ((candidate["index"] ?? 0) === 0) this.#readCandidate(candidate);
    }
  }

  /** A prompt that Gemini does not answer has no candidates. */
  #readBlock(reason: string): void {
    if (reason === "" || reason === "BLOCK_REASON_UNSPECIFIED") return;
    this.#events.warn(`Gemini did not answer: the prompt was blocked (${reason})`);
    this.#reason ??= "PROHIBITED_CONTENT";
  }

  #readCandidate({ content, finishReason, finishMessage }: Fields): void {
    for (const part of objectsOf(fieldsOf(content)["parts"])) this.#readPart(part);
    const reason = stringOf(finishReason);
    if (reason === "" || reason === "FINISH_REASON_UNSPECIFIED") return;
    this.#reason ??= reason;
    this.#finishMessage = stringOf(finishMessage);
  }

  #readPart(part: Fields): void {
    const { functionCall, text } = part;
    const isThought = part["thought"] === true;
    const signature = stringOf(part["thoughtSignature"]);
    if (isObject(functionCall)) return this.#readCall(functionCall, signature);
    if (!isThought && signature !== "") this.#textSignature = signature;
    if (typeof text === "string") this.#addText(isThought ? "reasoning" : "text", text);
    else if (signature === "") this.#warnOfUnknownPart();
  }

  #warnOfUnknownPart(): void {
    if (this.#hasUnknownParts) return;
    this.#hasUnknownParts = true;
    this.#events.warn("Gemini sent parts that are neither text nor calls; they were left out");
  }

  /** A call comes whole. Most models give no id, so it gets one: its signature is kept under the id. */
  #readCall({ id: callId, name, args }: Fields, signature: string): void {
    const id = stringOf(callId) || newId.toolCall();
    if (signature !== "") this.#signatures.addForCall(id, signature);
    const index = this.#calls++;
    this.#events.push({
      type: "tool_call",
      index,
      id,
      name: stringOf(name),
      arguments: JSON.stringify(args ?? {}),
    });
  }

  #addText(type: "text" | "reasoning", text: string): void {
    if (type === "text") this.#text += text;
    this.#events.addText(type, text);
  }
}
