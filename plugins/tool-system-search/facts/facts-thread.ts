import type { Worker } from "node:worker_threads";
import { startFacts } from "../start-facts.ts";
import type { FactsRequest, FileFacts } from "./facts.ts";

const nothing: FileFacts = { facts: {}, words: "" };
/** Milliseconds for one file, and without a file after which the thread ends. */
const [patience, rest] = [15_000, 20_000];

/**
 * The thread that reads files, one after the other. A file on which it hangs or dies gives nothing, and the
 * next one gets a new thread; without work the thread ends after a while.
 */
export class FactsThread {
  readonly #patience: number;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #rest: NodeJS.Timeout | undefined;
  #closed = false;

  constructor({ patienceMs = patience }: { readonly patienceMs?: number } = {}) {
    this.#patience = patienceMs;
  }

  /** Never rejects. */
  read(request: FactsRequest): Promise<FileFacts> {
    const answer = this.#last.then(() => (this.#closed ? nothing : this.#ask(request)));
    this.#last = answer;
    return answer;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#end();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#rest);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  async #ask(request: FactsRequest): Promise<FileFacts> {
    clearTimeout(this.#rest);
    const worker = (this.#worker ??= startFacts().on("error", () => undefined));
    const answer = await this.#answerOf(worker, request);
    if (answer === undefined) await this.#end();
    this.#rest = setTimeout(() => void this.#end(), rest).unref();
    return answer ?? nothing;
  }

  #answerOf(worker: Worker, request: FactsRequest): Promise<FileFacts | undefined> {
    return new Promise((resolve) => {
      const settle = (answer?: FileFacts): void => {
        clearTimeout(timer);
        worker.off("message", settle).off("exit", failed);
        resolve(answer);
      };
      const failed = (): void => settle();
      const timer = setTimeout(failed, this.#patience);
      worker.on("message", settle).on("exit", failed);
      worker.postMessage(request);
    });
  }
}
