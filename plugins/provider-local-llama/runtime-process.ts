import type { ChildProcess } from "node:child_process";
import { AppError, type Log, type ModelEvent } from "@pergola/sdk";
import type { FromProcess, TaskName, Tasks, ToProcess } from "./messages.ts";
import { startProcess } from "./start-process.ts";

interface Waiting {
  readonly event: (event: ModelEvent) => void;
  readonly done: (told: Tasks[TaskName]["told"]) => void;
  readonly failed: (error: Error) => void;
}

export interface AskOptions {
  readonly signal: AbortSignal;
  readonly event?: (event: ModelEvent) => void;
}

/** Milliseconds that a cancelled task has to end before its process is ended. */
const patience = 5000;

/** One life of a process that runs a model, from its start to its end or its crash. */
export class RuntimeProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  readonly #gone: Promise<void>;
  #nextId = 0;
  #reason: AppError | undefined;

  constructor(name: string, log: Log) {
    this.#child = startProcess();
    this.#child.on("message", (message) => this.#take(message as FromProcess));
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on("data", (text: Buffer) =>
        log.debug({ output: text.toString().slice(0, 2000) }, `the process of ${name} writes`),
      );
    this.#gone = new Promise((resolve) => {
      this.#child.once("error", (error) =>
        this.#end(failure(`The process of ${name} could not be started: ${error.message}.`), resolve),
      );
      this.#child.once("exit", (code, signal) => {
        const how = signal ?? `exit code ${code}`;
        this.#end(
          failure(`The process of ${name} ended while it worked (${how}). The next request starts it again.`),
          resolve,
        );
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** True once it can not be used any more. */
  get ended(): boolean {
    return this.#reason !== undefined;
  }

  /** Does one task. Rejects with AppError, at once when the signal aborts. */
  ask<Name extends TaskName>(
    name: Name,
    asked: Tasks[Name]["asked"],
    { signal, event }: AskOptions,
  ): Promise<Tasks[Name]["told"]> {
    signal.throwIfAborted();
    if (this.#reason !== undefined) throw this.#reason;
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#forget(id);
        reject(signal.reason as Error);
      };
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T): void => {
          signal.removeEventListener("abort", leave);
          settle(value);
        };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.set(id, {
        event: (each) => event?.(each),
        done: settled((told) => resolve(told as Tasks[Name]["told"])),
        failed: settled(reject),
      });
      this.#send({ type: "task", id, name, asked });
    });
  }

  /** Ends it at once; what it was doing fails with the reason. */
  async kill(reason = failure("The model was unloaded.")): Promise<void> {
    this.#reason ??= reason;
    this.#child.kill("SIGKILL");
    await this.#gone;
  }

  /** The caller has left: the task is told to stop, and the process is ended when it does not. */
  #forget(id: number): void {
    this.#send({ type: "cancel", id });
    const timer = setTimeout(
      () => void this.kill(failure("The model did not stop when it was told to, and was ended.")),
      patience,
    ).unref();
    const over = (): void => clearTimeout(timer);
    this.#waiting.set(id, { event: () => undefined, done: over, failed: over });
  }

  #send(message: ToProcess): void {
    this.#child.send(message, (error) => {
      if (error !== null) void this.kill(failure("The process of the model does not listen any more."));
    });
  }

  #take(message: FromProcess): void {
    const waiting = this.#waiting.get(message.id);
    if (message.type === "event") return waiting?.event(message.event);
    this.#waiting.delete(message.id);
    if (message.type === "done") return waiting?.done(message.told);
    const { code, details } = message;
    waiting?.failed(
      new AppError({ code, message: message.message, ...(details === undefined ? {} : { details }) }),
    );
  }

  #end(reason: AppError, resolve: () => void): void {
    this.#reason ??= reason;
    for (const { failed } of this.#waiting.values()) failed(this.#reason);
    this.#waiting.clear();
    resolve();
  }
}

const failure = (message: string): AppError => new AppError({ code: "provider_error", message });
