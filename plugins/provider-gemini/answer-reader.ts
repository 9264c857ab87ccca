import { createParser, type EventSourceMessage, type EventSourceParser, type ParseError } from "eventsource-parser";
import type { AppError, Clock, ModelEvent, ProviderFailures } from "@pergola/sdk";
import { ChunkReader } from "./chunk-reader.ts";
import type { ThoughtSignatures } from "./thought-signatures.ts";
import { isObject, parsed, type Fields } from "./values.ts";

/** Characters of one line, and of a body that is no event stream. */
const limit = 16 * 1024 * 1024;

interface AnswerOptions {
  /** How long no chunk may come. */
  readonly timeoutSeconds: number;
  readonly signatures: ThoughtSignatures;
  /** Said before anything else. */
  readonly warnings: readonly string[];
}

/**
 * Reads the body of an answer as it comes: server-sent events, or the JSON document that a proxy makes of them. Noise is passed over;
 * data that is a damaged chunk is a failure, since going on would lose a part of the answer unseen. An answer is whole when its end has
 * been told and the body has ended: the format has no last event of its own.
 */
export class AnswerReader {
  readonly #failures: ProviderFailures;
  readonly #clock: Clock;
  readonly #timeoutSeconds: number;
  readonly #chunks: ChunkReader;
  readonly #decoder = new TextDecoder();
  readonly #parser: EventSourceParser;
  readonly #stray: string[] = [];
  #straySize = 0;
  #parts = 0;
  #heard: number;
  #warned = false;
  #ended = false;
  #failure: AppError | undefined;

  constructor(failures: ProviderFailures, clock: Clock, { timeoutSeconds, signatures, warnings }: AnswerOptions) {
    this.#failures = failures;
    this.#clock = clock;
    this.#timeoutSeconds = timeoutSeconds;
    this.#heard = clock.now();
    this.#chunks = new ChunkReader(signatures);
    for (const text of warnings) this.#chunks.warn(text);
    this.#parser = createParser({
      maxBufferSize: limit,
      onEvent: (message) => this.#event(message),
      onError: (error) => this.#line(error),
    });
  }

  /** What stopped the answer; the events that came before it are given first. */
  get failure(): AppError | undefined {
    return this.#failure;
  }

  /** The end was told: a connection that breaks now has only ended. */
  get finished(): boolean {
    return this.#failure === undefined && this.#chunks.finished;
  }

  /** There is nothing more to take. */
  get over(): boolean {
    return this.#ended || this.#failure !== undefined;
  }

  /** The events in the next bytes, or, for undefined, in the end of the body. Usage and end come last, unless the answer failed. */
  take(bytes: Uint8Array | undefined): readonly ModelEvent[] {
    const before = this.#parts;
    this.#ended = bytes === undefined;
    this.#parser.feed(bytes === undefined ? `${this.#decoder.decode()}\n\n` : this.#decoder.decode(bytes, { stream: true }));
    if (this.#ended) this.#close();
    else if (this.#parts === before) this.#expectSound();
    else this.#heard = this.#clock.now();
    const events = this.#chunks.take();
    return this.#ended && this.#failure === undefined ? [...events, ...this.#chunks.end()] : events;
  }

  #close(): void {
    if (this.#failure === undefined && this.#parts === 0) this.#document(this.#stray.join("\n"));
    if (this.#failure === undefined && !this.#chunks.finished) this.#failure = this.#failures.endedEarly();
  }

  /** Comments and crumbs keep a connection alive, but are no answer. */
  #expectSound(): void {
    const silence = this.#clock.now() - this.#heard;
    if (silence > this.#timeoutSeconds * 1000) this.#failure ??= this.#failures.silent(this.#timeoutSeconds);
  }

  #event({ data, event }: Pick<EventSourceMessage, "data" | "event">): void {
    if (this.#failure !== undefined) return;
    const chunk = parsed(data);
    if (isObject(chunk)) this.#chunk(chunk, event === "error");
    else if (chunk === undefined) this.#notJson(data);
  }

  #chunk(chunk: Fields, isError: boolean): void {
    this.#parts++;
    if (isError || isObject(chunk["error"])) {
      this.#failure = this.#failures.told(chunk);
      return;
    }
    this.#chunks.read(chunk);
    const { failed } = this.#chunks;
    if (failed !== undefined) this.#failure = this.#failures.unfinished(failed.reason, failed.message);
  }

  /** Chunks without the empty line between them arrive as one event. What begins like a chunk and is none is damaged; the rest is noise. */
  #notJson(data: string): void {
    const lines = data.split("\n");
    if (lines.length > 1) return lines.forEach((line) => this.#event({ event: undefined, data: line }));
    if (!data.trimStart().startsWith("{")) return this.#noise(data);
    if (!this.#ended) this.#failure = this.#failures.unreadable("sent a damaged part of its answer", data.slice(0, 200));
  }

  #noise(data: string): void {
    if (this.#warned || data.trim() === "" || data.trim() === "[DONE]") return;
    this.#warned = true;
    this.#chunks.warn("the provider sent lines that are no part of an answer; they were passed over");
  }

  /** A line that is no field of an event: a piece of a JSON document, or noise. */
  #line({ type, line = "" }: ParseError): void {
    if (type === "max-buffer-size-exceeded" || this.#straySize > limit) {
      this.#failure = this.#failures.unreadable("sent a line of more than 16 MiB");
    } else if (this.#parts === 0 && type === "unknown-field") {
      this.#stray.push(line);
      this.#straySize += line.length;
    }
  }

  /** A body without any event: one answer, a list of chunks, an error, or something else altogether. */
  #document(text: string): void {
    if (text.trim() === "") return;
    const value = parsed(text);
    const chunks = (Array.isArray(value) ? (value as readonly unknown[]) : [value]).filter(isObject);
    if (chunks.length === 0) this.#failure = this.#failures.unreadable("did not answer with an event stream", text.slice(0, 4096));
    for (const chunk of chunks) this.#chunk(chunk, !("candidates" in chunk || "promptFeedback" in chunk || "usageMetadata" in chunk));
  }
}
