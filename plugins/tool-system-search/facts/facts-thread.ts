import { startThread, WorkerPool, workerUrl } from "@pergola/kit-worker";
import type { FactsRequest, FileFacts } from "./facts.ts";

/** What the thread does: it reads one file. */
export interface FactsTasks {
  readonly read: { readonly ask: FactsRequest; readonly answer: FileFacts };
}

const nothing: FileFacts = { facts: {}, words: "" };

/**
 * The thread that reads files, one after the other. A file on which it hangs or dies gives nothing, and the
 * next one gets a new thread; without work the thread ends after a while.
 */
export class FactsThread {
  readonly #pool: WorkerPool<FactsTasks>;
  #isClosed = false;

  /** `deadline`: milliseconds for one file. */
  constructor({ deadline = 15_000 }: { readonly deadline?: number } = {}) {
    this.#pool = new WorkerPool<FactsTasks>({
      start: () =>
        startThread(workerUrl("facts.worker", import.meta.url), {
          name: "system-search-facts",
          memoryLimit: 512,
          env: {},
        }),
      toError: ({ message }) => new Error(message),
      deadline,
      idleAfter: 20_000,
    });
  }

  /** Never rejects. */
  async read(request: FactsRequest): Promise<FileFacts> {
    if (this.#isClosed) return nothing;
    return this.#pool.run("read", request).catch(() => nothing);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#pool.end();
  }
}
