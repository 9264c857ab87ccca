import { AppError, type ModelEvent } from "@pergola/sdk";

/** What a call takes beside its texts, so that calls without number are bounded too. */
const bytesOfCall = 256;

function bytesOf(event: ModelEvent): number {
  if (event.type === "text" || event.type === "reasoning") return Buffer.byteLength(event.text);
  if (event.type === "extra") return Buffer.byteLength(JSON.stringify(event.extra));
  if (event.type !== "tool_call") return 0;
  const { id, name, arguments: piece = "" } = event;
  const begins = id !== undefined || name !== undefined;
  return Buffer.byteLength(piece) + (begins ? bytesOfCall : 0);
}

/** The beginning of a text, at most so many bytes of UTF-8; no character is split. */
function beginningOf(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}

/** An answer that is being read. */
interface OpenAnswer {
  bytes: number;
}

/**
 * Ends answers that grow without end: one alone at the limit, and those that hold the most as soon as all
 * that are read at the same time hold more than that together.
 */
export class AnswerLimits {
  readonly #limit: () => number;
  readonly #open = new Set<OpenAnswer>();
  #total = 0;

  /** `limit`: bytes of one answer. */
  constructor(limit: () => number) {
    this.#limit = limit;
  }

  /** The events of an answer. Throws `provider_error` behind those that fit. */
  async *apply(provider: string, events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
    const answer: OpenAnswer = { bytes: 0 };
    this.#open.add(answer);
    try {
      for await (const event of events) {
        const { rest, failure } = this.#take(answer, event, provider);
        if (rest !== undefined) yield rest;
        if (failure !== undefined) throw failure;
      }
    } finally {
      this.#open.delete(answer);
      this.#total -= answer.bytes;
    }
  }

  /** What of an event fits, and why the answer ends with it. */
  #take(
    answer: OpenAnswer,
    event: ModelEvent,
    provider: string,
  ): { readonly rest?: ModelEvent; readonly failure?: AppError } {
    const bytes = bytesOf(event);
    const limit = this.#limit();
    const room = limit - answer.bytes;
    if (bytes > room) {
      const failure = tooLong(provider, limit);
      if (event.type !== "text" && event.type !== "reasoning") return { failure };
      return { rest: { ...event, text: beginningOf(event.text, room) }, failure };
    }
    answer.bytes += bytes;
    this.#total += bytes;
    if (this.#isTooMuch(answer)) return { failure: tooLongTogether(provider) };
    return { rest: event };
  }

  /** Small answers go on: only one that holds its share or more is ended. */
  #isTooMuch({ bytes }: OpenAnswer): boolean {
    return this.#total > this.#limit() && bytes * this.#open.size >= this.#total;
  }
}

const remedy = "Raise providers.max_answer_bytes if its answers are meant to be that long.";

const tooLong = (provider: string, limit: number): AppError =>
  new AppError({
    code: "provider_error",
    message: `${provider} sent an answer of more than ${limit} bytes; it was cut off. ${remedy}`,
  });

const tooLongTogether = (provider: string): AppError =>
  new AppError({
    code: "provider_error",
    message:
      `${provider} sent a very long answer while others were read, and together they take too much ` +
      `memory; the longest was cut off. ${remedy}`,
  });
