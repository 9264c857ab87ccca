import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { startThread } from "@pergola/sdk";
import type { Usage } from "./symbols/find-usages.ts";

/** The language is told by the path. */
export interface ThreadJob {
  readonly path: string;
  readonly text: string;
  readonly symbol: string;
}

export type ThreadAnswer = { readonly usages: readonly Usage[] } | { readonly failed: string };

/** Milliseconds a single file may take, loading its grammar included. */
const longest = 10_000;

/**
 * Parses code in a thread, one file at a time, so that the process goes on meanwhile. The thread begins with
 * the first job. It ends with a cancel, and with a file that takes too long; the next job begins another one.
 */
export class SymbolThread {
  readonly #signal: AbortSignal;
  readonly #longest: number;
  #worker: Worker | undefined;

  constructor(signal: AbortSignal, limit = longest) {
    this.#signal = signal;
    this.#longest = limit;
  }

  /**
   * `failed` when the grammar cannot read the file in time. Rejects with the signal's reason once that is
   * aborted.
   */
  async ask(job: ThreadJob): Promise<ThreadAnswer> {
    this.#signal.throwIfAborted();
    this.#worker ??= startThread("symbols", import.meta.url, {
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    const stop = new AbortController();
    const end = (): void => stop.abort();
    const timer = setTimeout(end, this.#longest);
    this.#signal.addEventListener("abort", end, { once: true });
    try {
      return await this.#exchange(this.#worker, job, stop.signal);
    } catch (error) {
      await this.end();
      this.#signal.throwIfAborted();
      return { failed: String(error) };
    } finally {
      clearTimeout(timer);
      this.#signal.removeEventListener("abort", end);
      stop.abort();
    }
  }

  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  /** Rejects when the thread fails or ends, and when `signal` is aborted. */
  async #exchange(worker: Worker, job: ThreadJob, signal: AbortSignal): Promise<ThreadAnswer> {
    const ended = once(worker, "exit", { signal }).then(() => Promise.reject(new Error("The thread ended.")));
    ended.catch(() => undefined);
    const answered = once(worker, "message", { signal });
    worker.postMessage(job);
    const [answer] = (await Promise.race([answered, ended])) as [ThreadAnswer];
    return answer;
  }
}
