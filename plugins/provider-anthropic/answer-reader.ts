import { createParser, type EventSourceMessage, type EventSourceParser, type ParseError } from "eventsource-parser";
import type { AppError, Clock, ModelEvent, ProviderFailures } from "@pergola/sdk";
import { MessageReader } from "./message-reader.ts";
import type { ToolNames } from "./tool-names.ts";

/** Characters of one line, and of a body that is no event stream. */
const limit = 16 * 1024 * 1024;

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface AnswerOptions {
  /** How long no part of the message may come; pings are none. */
  readonly timeoutSeconds: number;
  readonly names: Pick<ToolNames, "original">;
  /** Said before anything else. */
  readonly warnings: readonly string[];
}

/**
 * Reads the body of an answer as it comes: server-sent events, or a JSON document where a server does not stream. Pings, comments and
 * events of unknown types are passed over; a damaged event is a failure, since going on would lose a part of the answer unseen.
 */
export class AnswerReader {
  readonly #failures: ProviderFailures;
  readonly #clock: Clock;
  readonly #timeoutSeconds: number;
  readonly #message: MessageReader;
  readonly #decoder = new TextDecoder();
  readonly #parser: EventSourceParser;
  readonly #stray: string[] = [];
  #straySize = 0;
  #parts = 0;
  #heard: number;
  #ended = false;
  #failure: AppError | undefined;

  constructor(failures: ProviderFailures, clock: Clock, { timeoutSeconds, names, warnings }: AnswerOptions) {
    this.#failures = failures;
    this.#clock = clock;
    this.#timeoutSeconds = timeoutSeconds;
    this.#heard = clock.now();
    this.#message = new MessageReader(names);
    for (const text of warnings) this.#message.warn(text);
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
    return this.#failure === undefined && this.#message.finished;
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
    if (this.#message.stopped) this.#ended = true;
    const events = this.#message.take();
    return this.#ended && this.#failure === undefined ? [...events, ...this.#message.end()] : events;
  }

  /** A body without any event may be a JSON document. */
  #close(): void {
    if (this.#failure === undefined && this.#parts === 0) this.#document(this.#stray.join("\n"));
    if (this.#failure === undefined && !this.finished) this.#failure = this.#failures.endedEarly();
  }

  #expectSound(): void {
    const silence = this.#clock.now() - this.#heard;
    if (silence > this.#timeoutSeconds * 1000) this.#failure ??= this.#failures.silent(this.#timeoutSeconds);
  }

  #event({ data, event }: EventSourceMessage): void {
    if (this.#failure !== undefined || this.#message.stopped) return;
    const value = parsed(data);
    if (isObject(value)) this.#part(value, event === "error");
    else if (data.trimStart().startsWith("{") && !this.#ended) this.#damaged(data);
  }

  #part(value: Fields, isError: boolean): void {
    if (value["type"] === "ping") return;
    this.#parts++;
    if (isError || value["type"] === "error" || isObject(value["error"])) this.#failure = this.#failures.told(value);
    else if (!this.#message.read(value)) this.#damaged(JSON.stringify(value));
  }

  #damaged(data: string): void {
    this.#failure = this.#failures.unreadable("sent a damaged part of its answer", data.slice(0, 200));
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

  /** A body without any event: one message or error as JSON, or something else altogether. */
  #document(text: string): void {
    if (text.trim() === "") return;
    const value = parsed(text);
    if (!isObject(value)) this.#failure = this.#failures.unreadable("did not answer with an event stream", text.slice(0, 4096));
    else if (value["type"] === "message" || Array.isArray(value["content"])) this.#message.readWhole(value);
    else this.#failure = this.#failures.told(value);
  }
}
