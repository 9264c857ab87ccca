import type { Worker } from "node:worker_threads";
import { startThread } from "@pergola/sdk";

/** A page that takes all memory ends its thread, not the process. */
const resourceLimits = { maxOldGenerationSizeMb: 512 };

/** Milliseconds that a thread without work is kept: starting one costs more than reading most pages. */
const kept = 60_000;

let idle: Worker | undefined;
let timer: NodeJS.Timeout | undefined;

/** An ended thread has no number. */
export const hasEnded = ({ threadId }: Worker): boolean => threadId === -1;

function start(): Worker {
  const worker = startThread("reader", import.meta.url, { resourceLimits });
  // A thread may end between two jobs; an error of it that nobody listens to would end the process.
  return worker.on("error", () => undefined);
}

/**
 * A thread that reads HTML, for one call: the idle one or a new one. Whoever takes it ends it or gives it
 * back.
 */
export function takeReader(): Worker {
  const worker = idle === undefined || hasEnded(idle) ? start() : idle;
  idle = undefined;
  clearTimeout(timer);
  worker.ref();
  return worker;
}

/** Takes back a thread that has no job. One is kept, which does not keep the process. */
export async function returnReader(worker: Worker): Promise<void> {
  if (idle !== undefined && !hasEnded(idle)) return void (await worker.terminate());
  idle = worker;
  worker.unref();
  clearTimeout(timer);
  timer = setTimeout(() => void endIdleReader(), kept).unref();
}

/** Ends the idle thread. */
export async function endIdleReader(): Promise<void> {
  clearTimeout(timer);
  const worker = idle;
  idle = undefined;
  await worker?.terminate();
}
