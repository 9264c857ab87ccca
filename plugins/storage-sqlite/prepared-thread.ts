import type { Worker } from "node:worker_threads";
import { startThread, workerUrl } from "@pergola/kit-worker";
import type { WorkerOptions } from "./messages.ts";

/** Has been started, and works on no database yet. */
let prepared: Worker | undefined;

const newThread = (): Worker =>
  startThread(workerUrl("sqlite.worker", import.meta.url), { name: "storage-sqlite", newValues: 3 });

/** Starts a thread for the database that is opened next. It keeps no process from ending. */
export function prepareThread(): void {
  if (prepared !== undefined) return;
  const thread = newThread();
  // Whoever opens the database starts another, and is told what is wrong with it.
  const forget = (): void => {
    if (prepared === thread) prepared = undefined;
  };
  thread.on("error", forget).once("exit", forget).unref();
  prepared = thread;
}

/** A thread that opens the database: the one that was prepared, or a new one. */
export function threadFor(options: WorkerOptions): Worker {
  const thread = prepared ?? newThread();
  prepared = undefined;
  thread.ref();
  thread.postMessage(options);
  return thread;
}
