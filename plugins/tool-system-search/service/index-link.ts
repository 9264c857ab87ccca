import type { Worker } from "node:worker_threads";
import { ToolError } from "@pergola/sdk";
import type { IndexQuery } from "../index/queries.ts";
import { startCatalog } from "../start-catalog.ts";
import type { FromIndex, IndexAnswer, IndexSettings } from "./messages.ts";

interface Waiting {
  readonly resolve: (answer: IndexAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** Milliseconds that a thread may take to close its files. */
const farewell = 1500;

const failed = (reason: string): ToolError =>
  new ToolError("unavailable", `The index could not be used: ${reason}.`, {
    hint: "Search with file_operations instead, or tell the person: `pergola doctor` shows what is wrong.",
  });

/** The thread of one index, and the questions on their way to it. The process may end while nobody waits. */
export class IndexLink {
  readonly settings: IndexSettings;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #number = 0;
  #isOpen = true;

  constructor(settings: IndexSettings) {
    this.settings = settings;
    this.#worker = startCatalog(settings);
    this.#worker.on("message", (message: FromIndex) => this.#settle(message));
    this.#worker.on("error", (error) => this.#end(error.message));
    this.#worker.on("exit", () => this.#end("its thread ended"));
    this.#worker.unref();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Rejects with ToolError `unavailable`, or with the signal's reason. */
  ask(query: IndexQuery, patience: number, signal: AbortSignal): Promise<IndexAnswer> {
    const number = ++this.#number;
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void): void => {
        signal.removeEventListener("abort", abort);
        this.#waiting.delete(number);
        if (this.#waiting.size === 0) this.#worker.unref();
        finish();
      };
      const abort = (): void => settle(() => reject(signal.reason as Error));
      this.#waiting.set(number, {
        resolve: (answer) => settle(() => resolve(answer)),
        reject: (error) => settle(() => reject(error)),
      });
      signal.addEventListener("abort", abort, { once: true });
      if (signal.aborted) return abort();
      this.#worker.ref();
      this.#worker.postMessage({ number, query, patience });
    });
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    const gone = new Promise<void>((resolve) => this.#worker.once("exit", () => resolve()));
    this.#worker.postMessage({ close: true });
    const timer = setTimeout(() => void this.#worker.terminate(), farewell);
    await gone;
    clearTimeout(timer);
  }

  #settle(message: FromIndex): void {
    const waiting = this.#waiting.get(message.number);
    if ("answer" in message) waiting?.resolve(message.answer);
    else waiting?.reject(failed(message.failure));
  }

  #end(reason: string): void {
    this.#isOpen = false;
    for (const { reject } of [...this.#waiting.values()]) reject(failed(reason));
  }
}
