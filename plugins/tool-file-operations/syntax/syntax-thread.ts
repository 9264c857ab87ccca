import { codeThread } from "../code-thread.ts";
import type { SyntaxJob, SyntaxTasks } from "./jobs.ts";

/** A thread that parses code, so that the process goes on meanwhile; it begins with the first job. */
export class SyntaxThread {
  readonly #signal: AbortSignal;
  readonly #thread = codeThread<SyntaxTasks>("syntax");

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * One job at a time. Rejects with ToolError `generic_error`, after which the next job gets a new thread, or
   * with the signal's reason once it is aborted.
   */
  ask<W extends SyntaxJob["want"]>(
    job: SyntaxTasks[W]["ask"] & { readonly want: W },
  ): Promise<SyntaxTasks[W]["answer"]> {
    return this.#thread.run(job.want, job, { signal: this.#signal });
  }

  end(): Promise<void> {
    return this.#thread.end();
  }
}
