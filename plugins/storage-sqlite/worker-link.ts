import { WorkerConnection, type WorkerFailure } from "@pergola/kit-worker";
import { AppError, defined, PluginError, type Log } from "@pergola/sdk";
import type { Answer, Ask, Notice, OperationName, Operations, Refusal, WorkerOptions } from "./messages.ts";
import { threadFor } from "./prepared-thread.ts";

const endedEarly: Refusal = {
  reason: "the thread of the database ended before it was open",
  remedy: "If better-sqlite3 was not built for this Node, run `npm rebuild better-sqlite3`.",
};

const unavailable = (message: string, cause?: unknown): AppError =>
  new AppError({ code: "storage_unavailable", message, cause });

function errorOf({ fault, cause }: WorkerFailure): AppError {
  if (fault === undefined) {
    const message = "The storage stopped before it answered; it is not known whether the write was made.";
    return unavailable(message, cause);
  }
  const { code = "internal_error", message, details } = fault;
  return new AppError({
    code,
    message,
    ...defined({ details, cause: fault.cause && new Error(fault.cause) }),
  });
}

/**
 * The thread that works on the database, and the requests on their way to it. A thread that dies is replaced
 * at the next request.
 */
export class WorkerLink {
  readonly #options: WorkerOptions;
  readonly #log: Log;
  #connection: WorkerConnection<Operations, Notice> | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: WorkerOptions, log: Log) {
    this.#options = options;
    this.#log = log;
  }

  /** Rejects with PluginError when the database cannot be used. */
  async open(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#connection = this.#start(resolve, reject);
    });
  }

  /** Rejects with AppError. What is in `transfer` moves to the worker instead of being copied. */
  ask<N extends OperationName>(name: N, ask: Ask<N>, transfer?: readonly ArrayBuffer[]): Promise<Answer<N>> {
    if (this.#closed !== undefined) return Promise.reject(unavailable("The storage is closed."));
    this.#connection ??= this.#start(
      () => this.#log.warn({}, "the storage works again"),
      (error) => this.#log.error({ error }, "the storage could not be opened again"),
    );
    return this.#connection.ask(name, ask, transfer && { transfer });
  }

  /** Resolves when everything asked before is done and the files are closed. */
  async close(): Promise<void> {
    this.#closed ??= Promise.resolve(this.#connection?.close());
    return this.#closed;
  }

  /** Starts a thread; one of the two functions is called, once. */
  #start(onOpen: () => void, onRefusal: (error: PluginError) => void): WorkerConnection<Operations, Notice> {
    let refusal: Refusal | undefined = endedEarly;
    return new WorkerConnection<Operations, Notice>(threadFor(this.#options), {
      toError: errorOf,
      onNotice: (notice) => {
        if ("log" in notice) return this.#log[notice.log.level](notice.log.fields, notice.log.message);
        refusal = undefined;
        if ("refused" in notice) refusal = notice.refused;
        else onOpen();
      },
      onEnd: ({ cause }, requests) => {
        this.#connection = undefined;
        if (refusal !== undefined) onRefusal(pluginError(refusal, cause));
        else if (this.#closed === undefined)
          this.#log.error({ error: cause, requests }, "the thread of the storage ended");
      },
    });
  }
}

const pluginError = ({ reason, remedy, cause }: Refusal, crash: unknown): PluginError =>
  new PluginError("storage-sqlite", "open", reason, {
    remedy,
    cause: crash ?? new Error(cause),
  });
