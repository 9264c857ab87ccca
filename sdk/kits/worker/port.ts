import type { ChildProcess } from "node:child_process";
import type { Transferable, Worker } from "node:worker_threads";
import { messageOf } from "@pergola/sdk";
import { memoryExceeded, type WorkerFailure } from "./failure.ts";

interface Listeners {
  readonly message: (message: unknown) => void;
  /** Called once, when the worker is gone. */
  readonly end: (failure: WorkerFailure) => void;
}

/** What a connection needs of a thread and of a process alike. */
export interface Port {
  post(message: unknown, transfer?: readonly Transferable[]): void;
  listen(listeners: Listeners): void;
  /** Whether the worker keeps this process from ending. */
  setKeepAlive(isAlive: boolean): void;
  kill(): void;
}

export const portOf = (worker: Worker | ChildProcess): Port =>
  "threadId" in worker ? threadPort(worker) : processPort(worker);

const exitFailure = (code: number | null, signal?: string | null): WorkerFailure => ({
  reason: "exited",
  message: signal ?? `exit code ${code}`,
});

function crashFailure(error: NodeJS.ErrnoException): WorkerFailure {
  if (error.code === "ERR_WORKER_OUT_OF_MEMORY") return { ...memoryExceeded, cause: error };
  return { reason: "crashed", message: messageOf(error), cause: error };
}

function threadPort(worker: Worker): Port {
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    listen({ message, end }) {
      let crash: WorkerFailure | undefined;
      worker.on("message", message);
      worker.on("error", (error) => (crash = crashFailure(error)));
      worker.once("exit", (code) => end(crash ?? exitFailure(code)));
    },
    setKeepAlive: (isAlive) => (isAlive ? worker.ref() : worker.unref()),
    kill: () => void worker.terminate(),
  };
}

function processPort(child: ChildProcess): Port {
  const kill = (): void => void child.kill("SIGKILL");
  return {
    post: (message) => {
      // A process that does not listen any more answers nobody.
      child.send(message as object, (error) => error !== null && kill());
    },
    listen({ message, end }) {
      child.on("message", message);
      child.on("error", (error) => (child.pid === undefined ? end(crashFailure(error)) : kill()));
      child.once("exit", (code, signal) => end(exitFailure(code, signal)));
    },
    setKeepAlive(isAlive) {
      const verb = isAlive ? "ref" : "unref";
      child[verb]();
      child.channel?.[verb]();
    },
    kill,
  };
}
