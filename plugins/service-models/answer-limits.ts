import { AppError, type ModelEvent } from "@pergola/sdk";

/** What a call takes beside its texts, so that calls without number are bounded too. */
const bytesOfCall = 256;
/** From so many bytes on an answer counts until it is stored: shorter ones hardly wait. */
const longBytes = 1024 * 1024;

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

/** What of an event fits, and why the answer ends with it. */
interface Taken {
  readonly rest?: ModelEvent;
  readonly failure?: AppError;
}

/** Counts one answer while it is read. */
export interface OpenAnswer {
  take(event: ModelEvent): Taken;
  /** It is read. A long one goes on counting until it is stored. */
  close(stored?: Promise<unknown>): void;
}

/**
 * Ends answers that grow without end: one alone at the limit, and those that hold the most as soon as all
 * that are read or about to be stored at the same time hold more than that together.
 */
export class AnswerLimits {
  readonly #limit: () => number;
  #open = 0;
  #total = 0;

  /** `limit`: bytes of one answer. */
  constructor(limit: () => number) {
    this.#limit = limit;
  }

  open(provider: string): OpenAnswer {
    let held = 0;
    this.#open += 1;
    const take = (event: ModelEvent): Taken => {
      const bytes = bytesOf(event);
      const limit = this.#limit();
      const room = limit - held;
      if (bytes > room) {
        const failure = tooLong(provider, limit);
        if (event.type !== "text" && event.type !== "reasoning") return { failure };
        return { rest: { ...event, text: beginningOf(event.text, room) }, failure };
      }
      held += bytes;
      this.#total += bytes;
      // Small answers go on: only one that holds its share or more is ended.
      const isTooMuch = this.#total > limit && held * this.#open >= this.#total;
      return isTooMuch ? { failure: tooLongTogether(provider) } : { rest: event };
    };
    const release = (): void => {
      this.#open -= 1;
      this.#total -= held;
    };
    const close = (stored?: Promise<unknown>): void => {
      if (stored === undefined || held < longBytes) release();
      else void stored.then(release, release);
    };
    return { take, close };
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
      `${provider} sent a very long answer beside others, and together they take too much ` +
      `memory; the longest was cut off. ${remedy}`,
  });
