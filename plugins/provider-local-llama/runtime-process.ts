import { availableParallelism } from "node:os";
import { missingExtra } from "@pergola/kit-extras";
import { onOutput, startProcess, WorkerConnection, workerUrl, type WorkerFailure } from "@pergola/kit-worker";
import { AppError, defined, type Log, type ModelEvent } from "@pergola/sdk";
import type { TaskName, Tasks } from "./messages.ts";

export interface AskOptions {
  readonly signal: AbortSignal;
  readonly onEvent?: (event: ModelEvent) => void;
}

/** What native code needs to find its libraries and its folders; nothing that holds a key. */
const inherit = ["HOME", "SYSTEMROOT", "LD_LIBRARY_PATH", "CUDA_PATH", "VK_ICD_FILENAMES"];

/** One core is left to everything else: with all of them, a busy machine runs a model ten times slower. */
const threads = Math.max(1, availableParallelism() - 1);

/** Milliseconds that a cancelled task has to end before its process is ended. */
const cancelWithin = 5000;

const messages: Readonly<Record<WorkerFailure["reason"], (name: string, how: string) => string>> = {
  task: (_, message) => message,
  crashed: (name, how) => `The process of ${name} could not be started: ${how}.`,
  exited: (name, how) =>
    `The process of ${name} ended while it worked (${how}). The next request starts it again.`,
  deadline: () => "The model did not stop when it was cancelled, and was ended.",
  memory: (name) => `The process of ${name} needed too much memory.`,
  closed: () => "The model was unloaded.",
};

/**
 * One life of a process that runs a model, from its start to its end or its crash. A file that is out to
 * crash or to take over a program finds one without secrets, and its end is one answer's end. It ends with
 * this process, however that ends.
 */
export class RuntimeProcess {
  readonly pid: number | undefined;
  readonly #connection: WorkerConnection<Tasks>;

  /** Throws AppError, with the command that helps, where the library that it needs is not installed. */
  constructor(name: string, log: Log) {
    const missing = missingExtra("model-files", import.meta.url);
    if (missing !== undefined) throw new AppError({ code: "provider_error", message: missing });
    const args = [String(threads)];
    const child = startProcess(workerUrl("llama.process", import.meta.url), { args, inherit });
    onOutput(child, (output) => log.debug({ output }, `the process of ${name} writes`));
    this.pid = child.pid;
    this.#connection = new WorkerConnection<Tasks>(child, {
      onAbort: { cancelWithin },
      toError({ reason, message, fault }) {
        const { code = "provider_error", details } = fault ?? {};
        return new AppError({ code, message: messages[reason](name, message), ...defined({ details }) });
      },
    });
  }

  /** True once it cannot be used any more. */
  get ended(): boolean {
    return !this.#connection.isOpen;
  }

  /** Does one task. Rejects with AppError, at once when the signal aborts. */
  ask<Name extends TaskName>(
    name: Name,
    ask: Tasks[Name]["ask"],
    options: AskOptions,
  ): Promise<Tasks[Name]["answer"]> {
    return this.#connection.ask(name, ask, options);
  }

  /** Ends it at once; what it was doing fails. */
  kill(): Promise<void> {
    return this.#connection.kill();
  }
}
