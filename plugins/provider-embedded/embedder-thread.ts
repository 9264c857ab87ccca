import type { Worker } from "node:worker_threads";
import { AppError, startThread } from "@pergola/sdk";
import type { EmbedJob, ThreadMessage } from "./embedder/messages.ts";
import { minilmHashes } from "./embedder/weights.ts";

interface Waiting {
  readonly resolve: (vectors: Float32Array) => void;
  readonly reject: (error: AppError) => void;
}

const failure = (message: string): AppError => new AppError({ code: "provider_error", message });

/**
 * One life of the thread that holds the embedding model, from its start to its end or its crash. An idle one
 * lets the process end.
 */
export class EmbedderThread {
  /**
   * Resolves to undefined once the model is loaded, or ended on purpose; to the reason when it cannot be
   * loaded.
   */
  readonly loaded: Promise<string | undefined>;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 0;
  #ended = false;
  #retired = false;

  constructor(hashes: Readonly<Record<string, string>> = minilmHashes) {
    this.#worker = startThread("embedder", import.meta.url, { workerData: { hashes } });
    this.loaded = new Promise((resolve) => {
      this.#worker.on("message", (message: ThreadMessage) => this.#take(message, resolve));
      this.#worker.on("error", (error) => this.#end(error.message, resolve));
      this.#worker.on("exit", () => this.#end("its thread ended", resolve));
    });
  }

  /** True once the thread is gone; a new one is needed then. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The vectors of the texts, one after the other. Rejects with `provider_error` when the thread fails. */
  embed(texts: readonly string[]): Promise<Float32Array> {
    if (this.#ended) return Promise.reject(failure("The embedding model stopped."));
    const id = this.#nextId++;
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, texts } satisfies EmbedJob);
    });
  }

  async end(): Promise<void> {
    this.#ended = true;
    this.#retired = true;
    await this.#worker.terminate();
  }

  #take(message: ThreadMessage, loaded: (reason: string | undefined) => void): void {
    if (message.type === "ready") return loaded(undefined);
    if (message.type === "failed") return loaded(message.reason);
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (message.type === "done") waiting?.resolve(message.vectors);
    else waiting?.reject(failure(`The embedding model failed: ${message.reason}`));
  }

  #end(reason: string, loaded: (reason: string | undefined) => void): void {
    this.#ended = true;
    loaded(this.#retired ? undefined : reason);
    for (const { reject } of this.#waiting.values())
      reject(failure(`The embedding model stopped: ${reason}`));
    this.#waiting.clear();
  }
}
