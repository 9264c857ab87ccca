import { startThread, WorkerPool, workerUrl } from "@pergola/kit-worker";
import type { Usage } from "./symbols/find-usages.ts";

/** The language is told by the path. */
export interface ThreadJob {
  readonly path: string;
  readonly text: string;
  readonly symbol: string;
}

export type ThreadAnswer = { readonly usages: readonly Usage[] } | { readonly failed: string };

export interface SymbolTasks {
  readonly usages: { readonly ask: ThreadJob; readonly answer: readonly Usage[] };
}

/** Milliseconds a single file may take, loading its grammar included. */
const longest = 10_000;

/**
 * Parses code in a thread, one file at a time, so that the process goes on meanwhile. The thread begins with
 * the first job. It ends with a cancel, and with a file that takes too long; the next job begins another one.
 */
export class SymbolThread {
  readonly #signal: AbortSignal;
  readonly #thread: WorkerPool<SymbolTasks>;

  constructor(signal: AbortSignal, deadline = longest) {
    this.#signal = signal;
    this.#thread = new WorkerPool<SymbolTasks>({
      start: () => startThread(workerUrl("symbols.worker", import.meta.url), { memoryLimit: 512 }),
      toError: ({ message }) => new Error(message),
      deadline,
      idleAfter: 60_000,
    });
  }

  /**
   * `failed` when the grammar cannot read the file in time. Rejects with the signal's reason once that is
   * aborted.
   */
  async ask(job: ThreadJob): Promise<ThreadAnswer> {
    try {
      return { usages: await this.#thread.run("usages", job, { signal: this.#signal }) };
    } catch (error) {
      this.#signal.throwIfAborted();
      return { failed: String(error) };
    }
  }

  end(): Promise<void> {
    return this.#thread.end();
  }
}
