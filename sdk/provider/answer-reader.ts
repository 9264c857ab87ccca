import type { Clock } from "../contract/clock.ts";
import type { AppError } from "../contract/errors.ts";
import type { ModelEvent } from "../contract/provider.ts";
import { isObject } from "../util/is-object.ts";
import { parseJson } from "../util/parse-json.ts";
import { AnswerEvents } from "./answer-events.ts";
import { EventFrames, type FrameListener } from "./event-frames.ts";
import type { AnswerFault, AnswerPart, PartReader } from "./part-reader.ts";
import type { ProviderFailures } from "./provider-failures.ts";

/** Characters of one line, and of a body that is no event stream. */
const limit = 4 * 1024 * 1024;

export interface ReaderOptions {
  /** Understands the parts of this answer. */
  readonly reader: (events: AnswerEvents) => PartReader;
  readonly failures: ProviderFailures;
  readonly clock: Clock;
  /** How long no part may come. */
  readonly timeoutSeconds: number;
  /** How parts come: as server-sent events (default), or one on each line (`application/x-ndjson`). */
  readonly format?: "events" | "lines";
  /** Come before anything else. */
  readonly warnings?: readonly string[];
}

/**
 * Reads the body of an answer as it comes: server-sent events, a JSON document where a server does not
 * stream, or lines of JSON where `format` says so. Comments, byte order mark, line ends of any kind and lines
 * that are no data are passed over; data that is a damaged part is a failure, since going on would lose a
 * part of the answer unseen.
 */
export class AnswerReader {
  readonly #parts: PartReader;
  readonly #events = new AnswerEvents();
  readonly #frames: EventFrames;
  readonly #options: ReaderOptions;
  readonly #failures: ProviderFailures;
  readonly #unframed: string[] = [];
  #unframedSize = 0;
  #count = 0;
  /** When the last part came. */
  #lastPart: number;
  #warned = false;
  /** The other side has said that nothing more comes. */
  #done = false;
  #ended = false;
  #failure: AppError | undefined;

  constructor(options: ReaderOptions) {
    const { reader, failures, format, warnings = [] } = options;
    this.#options = options;
    this.#parts = reader(this.#events);
    this.#failures = failures;
    this.#lastPart = options.clock.now();
    for (const text of warnings) this.#events.warn(text);
    const listener: FrameListener = {
      event: (data, name) => this.#readEvent(data, name),
      line: (text) => (format === "lines" ? this.#readEvent(text, "") : this.#readLine(text)),
      tooLong: () => this.#fail(failures.unreadable("sent a line of more than 4 MiB")),
    };
    this.#frames = new EventFrames(listener, limit);
  }

  /** What stopped the answer; the events that came before it are given first. */
  get failure(): AppError | undefined {
    return this.#failure;
  }

  /** The answer is whole, even if nothing more comes. */
  get finished(): boolean {
    return this.#failure === undefined && (this.#done || this.#parts.finished);
  }

  /** There is nothing more to take. */
  get isOver(): boolean {
    return this.#ended || this.#failure !== undefined;
  }

  /**
   * The events in the next bytes, or, for undefined, in the end of the body. Usage and end come last, unless
   * the answer failed.
   */
  take(bytes: Uint8Array | undefined): readonly ModelEvent[] {
    const before = this.#count;
    this.#ended = bytes === undefined;
    this.#frames.feed(bytes);
    if (this.#ended) this.#close();
    else if (this.#count === before) this.#checkTimeout();
    else this.#lastPart = this.#options.clock.now();
    if (this.#done || this.#parts.complete === true) this.#ended = true;
    const events = this.#events.take();
    if (!this.#ended || this.#failure !== undefined) return events;
    return [...events, ...this.#parts.end()];
  }

  /** A body without any part may be a JSON document. */
  #close(): void {
    if (this.#failure === undefined && this.#count === 0 && !this.#done)
      this.#readDocument(this.#unframed.join("\n"));
    if (!this.finished) this.#fail(this.#failures.endedEarly());
  }

  /** Comments and crumbs keep a connection alive, but are no answer. */
  #checkTimeout(): void {
    const { clock, timeoutSeconds } = this.#options;
    const silence = clock.now() - this.#lastPart;
    if (silence > timeoutSeconds * 1000) this.#fail(this.#failures.timedOut(timeoutSeconds));
  }

  #readEvent(data: string, name: string): void {
    if (this.#done || this.#failure !== undefined || this.#parts.complete === true) return;
    if (data.length < 16 && data.trim() === this.#parts.endMark) {
      this.#done = true;
      return;
    }
    const value = parseJson(data);
    if (value === undefined) this.#notJson(data);
    for (const part of [value].flat().filter(isObject)) this.#readPart(part, name === "error");
  }

  #readPart(part: AnswerPart, isError: boolean): void {
    if (isError) this.#fail(this.#failures.fromBody(part));
    else if (this.#parts.read(part)) this.#count++;
    this.#checkFault(this.#parts.fault);
  }

  #checkFault(fault: AnswerFault | undefined): void {
    if (fault === undefined) return;
    if ("error" in fault) this.#fail(this.#failures.fromBody(fault.error, fault.status));
    else if ("damaged" in fault) this.#damaged(JSON.stringify(fault.damaged));
    else this.#fail(this.#failures.unfinished(fault.unfinished, fault.message));
  }

  /** The first failure counts. */
  #fail(failure: AppError): void {
    this.#failure ??= failure;
  }

  #damaged(data: string): void {
    this.#fail(this.#failures.unreadable("sent a damaged part of its answer", data.slice(0, 200)));
  }

  /**
   * Parts without the empty line between them arrive as one event. What begins like a part and is none is
   * damaged; the rest is noise.
   */
  #notJson(data: string): void {
    const lines = data.split("\n");
    if (lines.length > 1) return lines.forEach((line) => this.#readEvent(line, ""));
    if (!data.trimStart().startsWith("{")) return this.#noise(data.trim());
    if (!this.#ended) this.#damaged(data);
  }

  /** Some gateways put the end mark of chat completions behind every format. */
  #noise(data: string): void {
    if (this.#warned || data === "" || data === "[DONE]") return;
    this.#warned = true;
    this.#events.warn("the provider sent lines that are no part of an answer; they were passed over");
  }

  /**
   * A line that is no field of an event: an error of old llama servers, a piece of a JSON document, or noise.
   */
  #readLine(text: string): void {
    if (text.startsWith("error:")) return this.#readEvent(text.slice("error:".length), "error");
    if (this.#count > 0) return;
    this.#unframed.push(text);
    this.#unframedSize += text.length;
    if (this.#unframedSize > limit)
      this.#fail(this.#failures.unreadable("sent more than 4 MiB that are no event stream"));
  }

  /** A body without any event: one answer, a list of its parts, an error, or something else altogether. */
  #readDocument(text: string): void {
    if (text.trim() === "") return;
    const documents = [parseJson(text)].flat().filter(isObject);
    if (documents.length === 0)
      this.#fail(this.#failures.unreadable("did not answer with an event stream", text.slice(0, 4096)));
    for (const document of documents) {
      if (!this.#parts.readWhole(document)) this.#fail(this.#failures.fromBody(document));
      this.#checkFault(this.#parts.fault);
    }
  }
}
