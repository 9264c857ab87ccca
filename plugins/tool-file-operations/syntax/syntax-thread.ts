import type { Worker } from "node:worker_threads";
import { startChecker } from "../start-checker.ts";
import { askThread } from "../thread/ask-thread.ts";
import type { SyntaxAnswers, SyntaxJob } from "./jobs.ts";

/** A thread that parses code, so that the process goes on meanwhile; it begins with the first job. */
export class SyntaxThread {
  readonly #signal: AbortSignal;
  #worker: Worker | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * One job at a time. Rejects with ToolError `generic_error`, after which the next job gets a new thread, or
   * with the signal's reason once it is aborted.
   */
  async ask<J extends SyntaxJob>(job: J): Promise<SyntaxAnswers[J["want"]]> {
    this.#worker ??= startChecker("syntax");
    try {
      return await askThread(this.#worker, job, this.#signal);
    } catch (error) {
      await this.end();
      throw error;
    }
  }

  async end(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }
}
