import { missingExtra } from "@pergola/kit-extras";
import { AppError, type Log } from "@pergola/sdk";
import { EmbedderThread } from "../embedder-thread.ts";
import { dimensions, type Embedder } from "./embedder.ts";

/**
 * Texts handed to the thread at once: few, so that a short question gets its turn between the batches of a
 * long job.
 */
const batchSize = 8;

interface MiniLmOptions {
  readonly log: Log;
  /** Milliseconds without work after which the thread ends; it starts again at the next use. */
  readonly idleAfter?: number;
  /** The expected SHA-256 of each model file. */
  readonly hashes?: Readonly<Record<string, string>>;
}

/**
 * all-MiniLM-L6-v2 in a thread of its own, loaded at first use. Weights that are missing or not the released
 * ones are never used.
 */
export class MiniLm implements Embedder {
  readonly #options: MiniLmOptions;
  #thread: EmbedderThread | undefined;
  #fault: string | undefined;
  #jobs = 0;
  #idle: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: MiniLmOptions) {
    this.#options = options;
  }

  /** Why the weights cannot be used; undefined as long as nothing is known against them. */
  get fault(): string | undefined {
    return this.#fault ?? missingExtra("embeddings", import.meta.url);
  }

  /** The same for a person, with what to do. */
  get absence(): string | undefined {
    return missingExtra("embeddings", import.meta.url) ?? (this.#fault && cannotLoad);
  }

  /** True while the thread lives. */
  get awake(): boolean {
    return this.#thread !== undefined && !this.#thread.ended;
  }

  async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    signal.throwIfAborted();
    this.#jobs++;
    clearTimeout(this.#idle);
    try {
      return await abortable(this.#run(texts, signal), signal);
    } finally {
      this.#jobs--;
      if (this.#jobs === 0) this.#restLater();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    await this.#thread?.end();
  }

  async #run(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const thread = await this.#open();
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length && !signal.aborted; start += batchSize) {
      const flat = await thread.embed(texts.slice(start, start + batchSize));
      for (let from = 0; from < flat.length; from += dimensions)
        vectors.push(flat.slice(from, from + dimensions));
    }
    return vectors;
  }

  async #open(): Promise<EmbedderThread> {
    const missing = missingExtra("embeddings", import.meta.url);
    if (missing !== undefined) throw unavailable(missing, missing);
    if (this.#fault !== undefined) throw unavailable(this.#fault);
    if (this.#closed)
      throw new AppError({ code: "shutting_down", message: "The embedding model is closed." });
    if (!this.awake) this.#thread = new EmbedderThread(this.#options.hashes);
    const thread = this.#thread as EmbedderThread;
    const fault = await thread.loaded;
    if (fault === undefined || this.#closed) return thread;
    if (this.#fault === undefined) {
      this.#fault = fault;
      this.#options.log.warn(
        { fault },
        "The MiniLM weights cannot be used; `embedded/hashing` stands in, and its vectors are kept apart.",
      );
    }
    await thread.end();
    throw unavailable(fault);
  }

  #restLater(): void {
    this.#idle = setTimeout(() => void this.#thread?.end(), this.#options.idleAfter ?? 30_000);
    this.#idle.unref();
  }
}

const cannotLoad =
  "The model embedded/minilm cannot be loaded. Use embedded/hashing for memory.embedding_model instead.";

const unavailable = (fault: string, message = cannotLoad): AppError =>
  new AppError({
    code: "provider_error",
    message,
    details: { fault, standIn: "hashing" },
  });

/** The result, or the signal's reason as soon as it aborts. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
