import type { Worker } from "node:worker_threads";
import { ToolError } from "@pergola/sdk";
import type { Reply } from "./serve.ts";
import { inThreadSlot } from "./thread-slots.ts";

/**
 * Bytes by which the process may grow while a document is worked on: buffers are not counted by a thread's
 * own limit.
 */
const mostGrowth = 1 << 30;
const lookEvery = 100;

const tooLarge = (): ToolError =>
  new ToolError("invalid_value", "The document needs too much memory.", {
    hint: "It may be a decompression bomb. If it is not, split it into smaller documents.",
  });

const unusable = (reason: string): ToolError =>
  new ToolError("invalid_value", `The document could not be processed: ${reason}.`, {
    hint: "It is probably damaged. Ask for another copy or another format; a retry makes no sense.",
  });

function settled(reply: Reply): unknown {
  if ("answer" in reply) return reply.answer;
  if ("broken" in reply) throw unusable(reply.broken.replace(/\.$/, ""));
  const { code, message, hint } = reply.failure;
  throw new ToolError(code, message, { hint });
}

function answerOf(worker: Worker, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const before = process.memoryUsage.rss();
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - before > mostGrowth) end(() => reject(tooLarge()));
    }, lookEvery);
    const end = (finish: () => void): void => {
      clearInterval(watch);
      signal.removeEventListener("abort", onAbort);
      void worker.terminate();
      finish();
    };
    const onAbort = (): void => end(() => reject(signal.reason as Error));
    worker.once("message", (reply: Reply) => end(() => resolve(reply)));
    worker.once("exit", () => end(() => reject(unusable("its thread ended"))));
    worker.on("error", (error: NodeJS.ErrnoException) =>
      end(() => reject(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? tooLarge() : unusable(error.message))),
    );
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

/**
 * Does one job in a thread of its own, so that the process goes on meanwhile, and ends the thread. Rejects
 * with the ToolError that the job failed with, with `invalid_value` for what is damaged or needs too much
 * memory, and with the signal's reason once it is aborted.
 */
export const runJob = <A>(start: () => Worker, signal: AbortSignal): Promise<A> =>
  inThreadSlot(signal, async () => settled((await answerOf(start(), signal)) as Reply) as A);
