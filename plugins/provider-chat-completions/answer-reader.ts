import { createParser, type EventSourceMessage, type EventSourceParser, type ParseError } from "eventsource-parser";
import type { AppError, Clock, ModelEvent, ProviderFailures } from "@pergola/sdk";
import type { Fields, FormatReader } from "./format.ts";
import { isFailure } from "./read-failure.ts";

/** Characters of one line, and of a body that is no event stream. */
const limit = 16 * 1024 * 1024;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

const nothing = Symbol("not JSON");

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return nothing;
  }
}

interface AnswerOptions {
  /** How long no chunk may come. */
  readonly timeoutSeconds: number;
  /** Said before anything else. */
  readonly warnings: readonly string[];
}

/**
 * Reads the body of an answer as it comes: server-sent events, or a JSON document where a server does not stream. Comments, byte order
 * mark, line ends of any kind and lines that are no data are passed over; data that is a damaged chunk is a failure, since going on would
 * lose a part of the answer unseen.
 */
export class AnswerReader {
  readonly #failures: ProviderFailures;
  readonly #clock: Clock;
  readonly #timeoutSeconds: number;
  readonly #format: FormatReader;
  readonly #decoder = new TextDecoder();
  readonly #parser: EventSourceParser;
  readonly #stray: string[] = [];
  #straySize = 0;
  #parts = 0;
  #heard: number;
  #warned = false;
  /** The vendor has said that nothing more comes. */
  #done = false;
  #ended = false;
  #failure: AppError | undefined;

  constructor(format: FormatReader, failures: ProviderFailures, clock: Clock, { timeoutSeconds, warnings }: AnswerOptions) {
    this.#failures = failures;
    this.#clock = clock;
    this.#timeoutSeconds = timeoutSeconds;
    this.#heard = clock.now();
    this.#format = format;
    for (const text of warnings) this.#format.warn(text);
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

  /** The answer is whole, even if nothing more comes. */
  get finished(): boolean {
    return this.#failure === undefined && (this.#done || this.#format.finished);
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
    if (this.#done || this.#format.complete) this.#ended = true;
    const events = this.#format.take();
    return this.#ended && this.#failure === undefined ? [...events, ...this.#format.end()] : events;
  }

  /** A body without any chunk may be a JSON document. */
  #close(): void {
    if (this.#failure === undefined && this.#parts === 0 && !this.#done) this.#document(this.#stray.join("\n"));
    if (this.#failure === undefined && !this.finished) this.#failure = this.#failures.endedEarly();
  }

  /** Comments and crumbs keep a connection alive, but are no answer. */
  #expectSound(): void {
    const silence = this.#clock.now() - this.#heard;
    if (silence > this.#timeoutSeconds * 1000) this.#failure ??= this.#failures.silent(this.#timeoutSeconds);
  }

  #event({ data, event }: EventSourceMessage): void {
    if (this.#done || this.#failure !== undefined) return;
    if (data.length < 16 && data.trim() === "[DONE]") {
      this.#done = true;
      return;
    }
    const chunk = parsed(data);
    if (isObject(chunk)) this.#part(chunk, event === "error");
    else if (chunk === nothing) this.#notJson(data);
  }

  #part(part: Fields, isError: boolean): void {
    this.#parts++;
    if (isError || isFailure(part)) this.#failure = this.#failures.told(part);
    else this.#format.read(part);
    const { failure } = this.#format;
    if (failure !== undefined) this.#failure ??= this.#failures.told(failure.said, failure.status);
  }

  /** Chunks without the empty line between them arrive as one event. What begins like a chunk and is none is damaged; the rest is noise. */
  #notJson(data: string): void {
    const lines = data.split("\n");
    if (lines.length > 1) return lines.forEach((line) => this.#event({ id: undefined, event: undefined, data: line }));
    if (!data.trimStart().startsWith("{")) return this.#noise(data);
    if (!this.#ended) this.#failure = this.#failures.unreadable("sent a damaged part of its answer", data.slice(0, 200));
  }

  #noise(data: string): void {
    if (this.#warned || data.trim() === "") return;
    this.#warned = true;
    this.#format.warn("the provider sent lines that are no part of an answer; they were passed over");
  }

  /** A line that is no field of an event: an error of old llama servers, a piece of a JSON document, or noise. */
  #line({ type, field, value = "", line = "" }: ParseError): void {
    if (type === "max-buffer-size-exceeded" || this.#straySize > limit) {
      this.#failure = this.#failures.unreadable("sent a line of more than 16 MiB");
    } else if (field === "error") {
      this.#event({ id: undefined, event: "error", data: value });
    } else if (this.#parts === 0 && type === "unknown-field") {
      this.#stray.push(line);
      this.#straySize += line.length;
    }
  }

  /** A body without any event: one answer or error as JSON, or something else altogether. */
  #document(text: string): void {
    if (text.trim() === "") return;
    const value = parsed(text);
    const document: unknown = Array.isArray(value) ? value[0] : value;
    if (!isObject(document)) {
      this.#failure = this.#failures.unreadable("did not answer with an event stream", text.slice(0, 4096));
      return;
    }
    const part = this.#format.partOf(document);
    this.#part(part ?? document, part === undefined);
    this.#done = this.#failure === undefined;
  }
}
