import type { Worker } from "node:worker_threads";
import { AppError, PluginError, startThread, type Log } from "@pergola/sdk";
import type {
  Answer,
  Ask,
  Failure,
  FromWorker,
  OperationName,
  Refusal,
  Reply,
  ToWorker,
  WorkerOptions,
} from "./messages.ts";

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: AppError) => void;
}

const endedEarly: Refusal = {
  reason: "the thread of the database ended before it was open",
  remedy: "If better-sqlite3 was not built for this Node, run `npm rebuild better-sqlite3`.",
};

const unavailable = (message: string, cause?: unknown): AppError =>
  new AppError({ code: "storage_unavailable", message, cause });

const errorOf = ({ code, message, details, cause }: Failure): AppError =>
  new AppError({ code, message, details, ...(cause !== undefined && { cause: new Error(cause) }) });

/**
 * The thread that works on the database, and the requests on their way to it. A thread that dies is replaced
 * at the next request.
 */
export class WorkerLink {
  readonly #options: WorkerOptions;
  readonly #log: Log;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #number = 0;
  #closed: Promise<void> | undefined;

  constructor(options: WorkerOptions, log: Log) {
    this.#options = options;
    this.#log = log;
  }

  /** Rejects with PluginError when the database cannot be used. */
  async open(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#worker = this.#start(resolve, reject);
    });
  }

  /** Rejects with AppError. What is in `transfer` moves to the worker instead of being copied. */
  async ask<N extends OperationName>(
    name: N,
    ask: Ask<N>,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<Answer<N>> {
    if (this.#closed !== undefined) throw unavailable("The storage is closed.");
    this.#worker ??= this.#start(
      () => this.#log.warn({}, "the storage works again"),
      (error) => this.#log.error({ error }, "the storage could not be opened again"),
    );
    const worker = this.#worker;
    const number = ++this.#number;
    return new Promise((resolve, reject) => {
      worker.postMessage({ number, name, ask }, transfer);
      this.#waiting.set(number, { resolve, reject });
    });
  }

  /** Resolves when everything asked before is done and the files are closed. */
  async close(): Promise<void> {
    this.#closed ??= new Promise((resolve) => {
      if (this.#worker === undefined) return resolve();
      this.#worker.once("exit", () => resolve());
      this.#worker.postMessage({ close: true } satisfies ToWorker);
    });
    return this.#closed;
  }

  /** Starts a thread; one of the two functions is called, once. */
  #start(opened: () => void, refused: (error: PluginError) => void): Worker {
    const worker = startThread("sqlite", import.meta.url, {
      name: "storage-sqlite",
      workerData: this.#options,
    });
    let refusal: Refusal | undefined = endedEarly;
    let fault: unknown;
    worker.on("message", (message: FromWorker) => {
      if ("replies" in message) for (const reply of message.replies) this.#settle(reply);
      else if ("log" in message) this.#log[message.log.level](message.log.fields, message.log.message);
      else refusal = "refused" in message ? message.refused : undefined;
      if ("opened" in message) opened();
    });
    worker.on("error", (error) => (fault = error));
    worker.on("exit", () => {
      if (refusal !== undefined) refused(pluginError(refusal, fault));
      this.#ended(fault, refusal === undefined);
    });
    return worker;
  }

  #settle({ number, answer, failure }: Reply): void {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (failure === undefined) waiting?.resolve(answer as never);
    else waiting?.reject(errorOf(failure));
  }

  #ended(fault: unknown, wasOpen: boolean): void {
    this.#worker = undefined;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    if (wasOpen && this.#closed === undefined)
      this.#log.error({ error: fault, requests: waiting.length }, "the thread of the storage ended");
    for (const { reject } of waiting)
      reject(
        unavailable(
          "The storage stopped before it answered; it is not known whether the write was made.",
          fault,
        ),
      );
  }
}

const pluginError = ({ reason, remedy, cause }: Refusal, fault: unknown): PluginError =>
  new PluginError("storage-sqlite", "open", reason, { remedy, cause: fault ?? new Error(cause) });
