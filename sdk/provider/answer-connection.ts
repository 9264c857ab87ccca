/** Milliseconds that a server has to close a complete answer. */
const patience = 1000;

/**
 * The connection that carries one answer. It is torn down when the caller aborts or stops reading; of a
 * complete answer the rest is read in the background instead, so that the connection can serve the next call,
 * and is torn down only when the server does not end it.
 */
export class AnswerConnection {
  readonly #caller: AbortSignal;
  readonly #controller = new AbortController();
  #bytes: AsyncIterator<Uint8Array> | undefined;

  constructor(caller: AbortSignal) {
    this.#caller = caller;
    if (caller.aborted) this.#abort();
    else caller.addEventListener("abort", this.#abort, { once: true });
  }

  /** For the request; aborts with the caller's reason. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The next bytes of the body. */
  next(body: AsyncIterable<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    this.#bytes ??= body[Symbol.asyncIterator]();
    return this.#bytes.next();
  }

  async release(complete: boolean): Promise<void> {
    if (complete && this.#bytes !== undefined) return void this.#drain(this.#bytes);
    this.#caller.removeEventListener("abort", this.#abort);
    await Promise.resolve(this.#bytes?.return?.()).catch(() => undefined);
  }

  readonly #abort = (): void => this.#controller.abort(this.#caller.reason);

  async #drain(bytes: AsyncIterator<Uint8Array>): Promise<void> {
    const timer = setTimeout(() => this.#controller.abort(), patience);
    try {
      while ((await bytes.next()).done !== true);
    } catch {
      // The answer was complete: how its connection ends is of no interest.
    } finally {
      clearTimeout(timer);
      this.#caller.removeEventListener("abort", this.#abort);
    }
  }
}
