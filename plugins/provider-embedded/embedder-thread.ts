import { startThread, WorkerConnection, workerUrl, type WorkerFailure } from "@pergola/kit-worker";
import { AppError } from "@pergola/sdk";
import type { EmbedTasks } from "./embedder/embed-tasks.ts";
import { minilmHashes } from "./embedder/weights.ts";

function errorOf({ reason, message }: WorkerFailure): AppError {
  const what = reason === "task" ? "failed" : "stopped";
  return new AppError({ code: "provider_error", message: `The embedding model ${what}: ${message}` });
}

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
  readonly #connection: WorkerConnection<EmbedTasks>;
  #isRetired = false;

  constructor(hashes: Readonly<Record<string, string>> = minilmHashes) {
    const thread = startThread(workerUrl("embedder.worker", import.meta.url));
    this.#connection = new WorkerConnection<EmbedTasks>(thread, { toError: errorOf, isIdleUnref: true });
    this.loaded = this.#connection.ask("load", hashes).catch((error: Error) => {
      if (this.#isRetired) return undefined;
      return error.message;
    });
  }

  /** True once the thread is gone; a new one is needed then. */
  get ended(): boolean {
    return !this.#connection.isOpen;
  }

  /** The vectors of the texts, one after the other. Rejects with `provider_error` when the thread fails. */
  embed(texts: readonly string[]): Promise<Float32Array> {
    return this.#connection.ask("embed", texts);
  }

  async end(): Promise<void> {
    this.#isRetired = true;
    await this.#connection.kill();
  }
}
