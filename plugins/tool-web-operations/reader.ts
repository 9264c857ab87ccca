import type { Worker } from "node:worker_threads";
import { ToolError, type ToolContext } from "@pergola/sdk";
import type { Answers, Job, Refusal, Reply } from "./reading/jobs.ts";
import { hasEnded, returnReader, takeReader } from "./start-reader.ts";

/** Milliseconds; the start of the thread counts. */
const patience = 10_000;

const failed = (reason: string): ToolError =>
  new ToolError("generic_error", `The page could not be read: ${reason}.`, { hint: "Try another page." });

const refusals: Readonly<Record<Refusal["code"], (reason: string) => ToolError>> = {
  generic_error: failed,
  invalid_value: (reason) =>
    new ToolError("invalid_value", reason, { hint: "Give CSS selectors, such as main h2." }),
};

/** Reads HTML in a thread, so that no page holds up the process; one job after the other. */
export class Reader {
  readonly #signal: AbortSignal;
  readonly #longest: number;
  #worker: Worker | undefined;
  #isBusy = false;
  #last: Promise<unknown> = Promise.resolve();

  /** `longest`: milliseconds that a job may take. */
  constructor(signal: AbortSignal, longest = patience) {
    this.#signal = signal;
    this.#longest = longest;
  }

  /**
   * Rejects with ToolError `generic_error` when the job fails or takes too long, after which the next gets a
   * new thread; with `invalid_value` for a wrong selector; with the signal's reason once it is aborted.
   */
  ask<J extends Job>(job: J): Promise<Answers[J["want"]]> {
    const next = this.#last.then(() => this.#run(job));
    this.#last = next.catch(() => undefined);
    return next;
  }

  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker !== undefined) await (this.#isBusy ? worker.terminate() : returnReader(worker));
  }

  async #run<J extends Job>(job: J): Promise<Answers[J["want"]]> {
    this.#signal.throwIfAborted();
    if (this.#worker === undefined || hasEnded(this.#worker)) this.#worker = takeReader();
    this.#isBusy = true;
    const reply = await this.#replyOf(this.#worker, job).catch(async (error: unknown) => {
      await this.end();
      throw error;
    });
    this.#isBusy = false;
    if ("reason" in reply) throw refusals[reply.code](reply.reason);
    return reply.answer as Answers[J["want"]];
  }

  #replyOf(worker: Worker, job: Job): Promise<Reply> {
    const signal = this.#signal;
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void): void => {
        clearTimeout(timer);
        worker.off("message", onMessage).off("error", onError).off("exit", onExit);
        signal.removeEventListener("abort", onAbort);
        finish();
      };
      const onMessage = (reply: Reply): void => settle(() => resolve(reply));
      const onError = (error: Error): void => settle(() => reject(failed(error.message)));
      const onExit = (): void => settle(() => reject(failed("its thread ended")));
      const onAbort = (): void => settle(() => reject(signal.reason as Error));
      const timer = setTimeout(() => settle(() => reject(failed("it takes too long"))), this.#longest);
      worker.on("message", onMessage).on("error", onError).on("exit", onExit);
      signal.addEventListener("abort", onAbort, { once: true });
      worker.postMessage(job);
    });
  }
}

/** Gives the work a reader, and ends it afterwards. */
export async function withReader<T>(
  { signal }: Pick<ToolContext, "signal">,
  work: (reader: Reader) => Promise<T>,
): Promise<T> {
  const reader = new Reader(signal);
  try {
    return await work(reader);
  } finally {
    await reader.end();
  }
}
