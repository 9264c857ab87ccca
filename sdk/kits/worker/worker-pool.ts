import type { ChildProcess } from "node:child_process";
import type { Worker } from "node:worker_threads";
import { closedByClient, memoryExceeded, type ToError } from "./failure.ts";
import type { Tasks } from "./messages.ts";
import { WorkerConnection, type AskOptions } from "./worker-connection.ts";

export interface PoolOptions {
  /** Starts a worker; called when a task finds none that is idle. */
  readonly start: () => Worker | ChildProcess;
  readonly toError: ToError;
  /** Workers at most; further tasks wait. Default: 1. */
  readonly size?: number;
  /** Milliseconds that a task may take, the start of its worker included. */
  readonly deadline?: number;
  /** Milliseconds after which a worker without a task is ended. 0 gives each task a worker of its own. */
  readonly idleAfter: number;
  /**
   * Bytes by which this process may grow during a task. Buffers are not counted by a thread's own memory
   * limit.
   */
  readonly growthLimit?: number;
}

interface Turn {
  readonly begin: () => void;
  readonly reject: (error: unknown) => void;
}

const growthInterval = 100;

/**
 * Workers for tasks that may hang, crash or take all memory, as the reading of strangers' files may. Each
 * does one task at a time. One that fails a task in any such way, or whose task is aborted, is ended; the
 * next task gets a new one. Idle workers do not keep the process.
 */
export class WorkerPool<T extends Tasks<T>> {
  readonly #options: PoolOptions;
  readonly #workers = new Set<WorkerConnection<T>>();
  readonly #idle = new Map<WorkerConnection<T>, NodeJS.Timeout>();
  readonly #turns: Turn[] = [];

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Workers that live. */
  get size(): number {
    return this.#workers.size;
  }

  /**
   * Does a task in an idle worker, or in a new one. Rejects with what `toError` makes of a failure, or with
   * the signal's reason.
   */
  async run<K extends keyof T & string>(
    name: K,
    ask: T[K]["ask"],
    options: Pick<AskOptions, "signal" | "deadline"> = {},
  ): Promise<T[K]["answer"]> {
    const worker = await this.#take(options.signal);
    const stopWatch = this.#watchGrowth(worker);
    try {
      return await worker.ask(name, ask, { deadline: this.#options.deadline, ...options });
    } finally {
      stopWatch();
      this.#release(worker);
    }
  }

  /** Ends all workers, and rejects what they do and what waits for them. A later task starts a new one. */
  async end(): Promise<void> {
    for (const { reject } of this.#turns.splice(0)) reject(this.#options.toError(closedByClient));
    await Promise.all([...this.#workers].map((worker) => worker.kill()));
  }

  async #take(signal: AbortSignal | undefined): Promise<WorkerConnection<T>> {
    signal?.throwIfAborted();
    for (;;) {
      const idle = this.#idle.keys().next().value;
      if (idle?.isOpen) return this.#reuse(idle);
      if (this.#workers.size < (this.#options.size ?? 1)) return this.#start();
      await this.#turn(signal);
    }
  }

  #reuse(worker: WorkerConnection<T>): WorkerConnection<T> {
    clearTimeout(this.#idle.get(worker));
    this.#idle.delete(worker);
    return worker;
  }

  #start(): WorkerConnection<T> {
    const { start, toError } = this.#options;
    const worker = new WorkerConnection<T>(start(), {
      toError,
      onAbort: "end",
      isIdleUnref: true,
      onEnd: () => {
        this.#reuse(worker);
        this.#workers.delete(worker);
        this.#turns.shift()?.begin();
      },
    });
    this.#workers.add(worker);
    return worker;
  }

  #release(worker: WorkerConnection<T>): void {
    const { idleAfter } = this.#options;
    if (!worker.isOpen) return;
    if (idleAfter === 0) return void worker.kill();
    this.#idle.set(worker, setTimeout(() => void worker.kill(), idleAfter).unref());
    this.#turns.shift()?.begin();
  }

  /** Waits until a worker is idle or may be started. */
  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#turns.splice(this.#turns.indexOf(turn), 1);
        reject(signal?.reason);
      };
      const arrive =
        <V>(settle: (value: V) => void) =>
        (value: V): void => {
          signal?.removeEventListener("abort", leave);
          settle(value);
        };
      const turn: Turn = { begin: () => arrive(resolve)(undefined), reject: arrive(reject) };
      this.#turns.push(turn);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  #watchGrowth(worker: WorkerConnection<T>): () => void {
    const { growthLimit } = this.#options;
    if (growthLimit === undefined) return () => undefined;
    const before = process.memoryUsage.rss();
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - before > growthLimit) void worker.kill(memoryExceeded);
    }, growthInterval);
    return () => clearInterval(watch);
  }
}
