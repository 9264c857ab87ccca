import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { startThread } from "@pergola/sdk";
import type { SyntaxFault } from "./find/find-errors.ts";
import type { Usage } from "./find/find-usages.ts";

/** The path's extension chooses the language. With a symbol, its usages are found; without, syntax errors. */
export interface ParserJob {
  readonly path: string;
  readonly text: string;
  readonly symbol?: string;
}

export type ParserReply = { readonly found: readonly unknown[] } | { readonly failure: string };

/** Milliseconds that one file may take, loading its grammar included. */
const defaultTimeout = 10_000;

/**
 * Parses code in a thread of its own, so that the process stays responsive. Handles one file at a time. The
 * thread starts with the first file. It ends on a cancel and when a file takes too long; the next file
 * starts another one.
 */
export class ParserThread {
  readonly #signal: AbortSignal;
  readonly #timeout: number;
  #worker: Worker | undefined;

  constructor(signal: AbortSignal, timeout = defaultTimeout) {
    this.#signal = signal;
    this.#timeout = timeout;
  }

  /**
   * The usages of a symbol in a text, in order. Undefined when the grammar cannot read the text in time.
   * Rejects with the signal's reason once that is aborted.
   */
  usages(path: string, text: string, symbol: string): Promise<readonly Usage[] | undefined> {
    return this.#run<Usage>({ path, text, symbol });
  }

  /** The syntax errors of a text; otherwise as `usages`. */
  errors(path: string, text: string): Promise<readonly SyntaxFault[] | undefined> {
    return this.#run<SyntaxFault>({ path, text });
  }

  /** Ends the thread. */
  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  async #run<T>(job: ParserJob): Promise<readonly T[] | undefined> {
    this.#signal.throwIfAborted();
    this.#worker ??= startThread("parser", import.meta.url, {
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    const stop = new AbortController();
    const abort = (): void => stop.abort();
    const timer = setTimeout(abort, this.#timeout);
    this.#signal.addEventListener("abort", abort, { once: true });
    try {
      const reply = await exchange(this.#worker, job, stop.signal);
      return "found" in reply ? (reply.found as readonly T[]) : undefined;
    } catch {
      void this.end();
      this.#signal.throwIfAborted();
      return undefined;
    } finally {
      clearTimeout(timer);
      this.#signal.removeEventListener("abort", abort);
      stop.abort();
    }
  }
}

/** Rejects when the thread fails or ends, and when `signal` is aborted. */
async function exchange(worker: Worker, job: ParserJob, signal: AbortSignal): Promise<ParserReply> {
  const ended = once(worker, "exit", { signal }).then(() => Promise.reject(new Error("The thread ended.")));
  ended.catch(() => undefined);
  const answered = once(worker, "message", { signal });
  worker.postMessage(job);
  const [reply] = (await Promise.race([answered, ended])) as [ParserReply];
  return reply;
}
