import type { ChildProcess } from "node:child_process";
import type { Transferable, Worker } from "node:worker_threads";
import { closedByClient, deadlinePassed, type ToError, type WorkerFailure } from "./failure.ts";
import type { EventOf, FromWorker, Tasks, ToWorker, WorkerReply, WorkerRequest } from "./messages.ts";
import { portOf, type Port } from "./port.ts";

export interface ConnectionOptions<Notice = never> {
  readonly toError: ToError;
  /**
   * What happens to a worker whose request is aborted or passes its deadline. `leave`: it finishes the task
   * for nobody. `end`: it is ended, with all that it was asked. `cancelWithin`: it is told to cancel the task
   * and ended unless it does so within these milliseconds. Default: `leave`.
   */
  readonly onAbort?: "leave" | "end" | { readonly cancelWithin: number };
  /** Lets this process end while the worker has nothing to do. Default: false. */
  readonly isIdleUnref?: boolean;
  readonly onNotice?: (notice: Notice) => void;
  /** Called once, when the worker is gone, with the number of requests that it left unanswered. */
  readonly onEnd?: (failure: WorkerFailure, unanswered: number) => void;
}

export interface AskOptions<Event = unknown> {
  /** An abort rejects the request at once with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the request is rejected. */
  readonly deadline?: number | undefined;
  /** Moves to the worker instead of being copied; for threads only. */
  readonly transfer?: readonly Transferable[];
  readonly onEvent?: ((event: Event) => void) | undefined;
}

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
  readonly onEvent?: ((event: never) => void) | undefined;
}

interface Outgoing<T extends Tasks<T>> {
  readonly request: WorkerRequest<T>;
  readonly transfer: readonly Transferable[];
}

const noOptions = {};
const nothing: readonly Transferable[] = [];

/**
 * One life of a worker thread or a child process, and the requests on their way to it. Any number of them
 * may be under way at once.
 */
export class WorkerConnection<T extends Tasks<T>, Notice = never> {
  /** Resolves when the worker is gone. */
  readonly ended: Promise<void>;
  readonly #port: Port;
  readonly #options: ConnectionOptions<Notice>;
  readonly #waiting = new Map<number, Waiting>();
  /** What is asked in one turn of the event loop goes in one message. */
  #outbox: Outgoing<T>[] = [];
  #lastId = 0;
  #failure: WorkerFailure | undefined;

  constructor(worker: Worker | ChildProcess, options: ConnectionOptions<Notice>) {
    this.#port = portOf(worker);
    this.#options = options;
    this.ended = new Promise((resolve) => {
      const message = (message: unknown): void => this.#receive(message as FromWorker<Notice>);
      const end = (failure: WorkerFailure): void => {
        const unanswered = this.#fail(failure);
        resolve();
        options.onEnd?.(this.#failure ?? failure, unanswered);
      };
      this.#port.listen({ message, end });
    });
    if (options.isIdleUnref) this.#port.setKeepAlive(false);
  }

  /** False once the worker takes no more requests: it ended, or is about to. */
  get isOpen(): boolean {
    return this.#failure === undefined;
  }

  /** Asks the worker to do a task. Rejects with what `toError` makes of a failure. */
  ask<K extends keyof T & string>(
    name: K,
    ask: T[K]["ask"],
    options: AskOptions<EventOf<T[K]>> = noOptions,
  ): Promise<T[K]["answer"]> {
    const { signal, deadline, transfer = nothing, onEvent } = options;
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) throw this.#options.toError(this.#failure);
      if (signal?.aborted) throw signal.reason;
      const id = ++this.#lastId;
      if (this.#outbox.push({ request: { id, name, ask }, transfer }) === 1)
        setImmediate(() => this.#sendOutbox());
      const waiting: Waiting = { resolve, reject, onEvent };
      this.#waiting.set(id, signal || deadline ? this.#guard(id, waiting, options) : waiting);
      if (this.#options.isIdleUnref && this.#waiting.size === 1) this.#port.setKeepAlive(true);
    });
  }

  /** Ends the worker at once. What it was asked is rejected, for the given reason if there is one. */
  kill(failure = closedByClient): Promise<void> {
    this.#fail(failure);
    this.#port.kill();
    return this.ended;
  }

  /**
   * Lets the worker finish what it was asked and end itself; `serve` does so by calling `close`. It is ended
   * when that takes longer than the given milliseconds.
   */
  async close(patience?: number): Promise<void> {
    if (this.isOpen) this.#post({ close: true });
    this.#failure ??= closedByClient;
    const timer = patience && setTimeout(() => this.#port.kill(), patience);
    await this.ended;
    clearTimeout(timer);
  }

  #post(message: ToWorker<T>, transfer?: readonly Transferable[]): void {
    this.#sendOutbox();
    this.#port.post(message, transfer);
  }

  #sendOutbox(): void {
    const outgoing = this.#outbox;
    this.#outbox = [];
    if (outgoing.length > 0) this.#send(outgoing);
  }

  /** A request that cannot be copied takes no other with it. */
  #send(outgoing: readonly Outgoing<T>[]): void {
    const requests = outgoing.map(({ request }) => request);
    const transfer = outgoing.flatMap((one) => one.transfer);
    try {
      this.#port.post({ requests } satisfies ToWorker<T>, transfer);
    } catch (error) {
      if (outgoing.length > 1) for (const one of outgoing) this.#send([one]);
      else for (const { id } of requests) this.#take(id)?.reject(error);
    }
  }

  /** The request with its signal and its deadline, which are let go when it is settled. */
  #guard(
    id: number,
    { resolve, reject, onEvent }: Waiting,
    { signal, deadline }: AskOptions<never>,
  ): Waiting {
    const settled =
      <V>(settle: (value: V) => void) =>
      (value: V): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
        settle(value);
      };
    const leave = (error: unknown): void => {
      settled(reject)(error);
      this.#abandon(id);
    };
    const abort = (): void => leave(signal?.reason);
    const late = (): void => leave(this.#options.toError(deadlinePassed));
    const timer = deadline && setTimeout(late, deadline);
    signal?.addEventListener("abort", abort, { once: true });
    return { resolve: settled(resolve), reject: settled(reject), onEvent };
  }

  /** Nobody waits for the answer any more. */
  #abandon(id: number): void {
    const { onAbort = "leave" } = this.#options;
    if (onAbort === "leave") return this.#settle({ id });
    if (onAbort === "end") return void this.kill();
    this.#post({ cancel: id });
    const timer = setTimeout(() => void this.kill(deadlinePassed), onAbort.cancelWithin).unref();
    const done = (): void => clearTimeout(timer);
    this.#waiting.set(id, { resolve: done, reject: done });
  }

  #receive(message: FromWorker<Notice>): void {
    if ("replies" in message) for (const reply of message.replies) this.#settle(reply);
    else if ("event" in message) this.#waiting.get(message.id)?.onEvent?.(message.event as never);
    else this.#options.onNotice?.(message.notice);
  }

  #settle({ id, answer, fault }: WorkerReply): void {
    const waiting = this.#take(id);
    if (fault === undefined) waiting?.resolve(answer as never);
    else waiting?.reject(this.#options.toError({ reason: "task", message: fault.message, fault }));
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#options.isIdleUnref && this.#waiting.size === 0) this.#port.setKeepAlive(false);
    return waiting;
  }

  #fail(failure: WorkerFailure): number {
    this.#failure ??= failure;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#outbox = [];
    for (const { reject } of waiting) reject(this.#options.toError(this.#failure));
    return waiting.length;
  }
}
