import type { Worker } from "node:worker_threads";
import { ToolError } from "@pergola/sdk";
import type { Reply } from "./serve.ts";

const failed = (reason: string): ToolError =>
  new ToolError("generic_error", `The code could not be analysed: ${reason}.`, {
    hint: "Name fewer files, or read them instead.",
  });

/**
 * Gives a job to a thread and waits for its answer; one job at a time. An abort ends the thread and rejects
 * with the signal's reason; a failure of the job or of the thread rejects with ToolError `generic_error`.
 */
export function askThread<A>(worker: Worker, job: unknown, signal: AbortSignal): Promise<A> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      signal.removeEventListener("abort", onAbort);
      finish();
    };
    const onMessage = (reply: Reply): void =>
      settle(() => ("answer" in reply ? resolve(reply.answer as A) : reject(failed(reply.reason))));
    const onError = (error: Error): void => settle(() => reject(failed(error.message)));
    const onExit = (): void => settle(() => reject(failed("its thread ended")));
    const onAbort = (): void => {
      void worker.terminate();
      settle(() => reject(signal.reason as Error));
    };
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    else worker.postMessage(job);
  });
}
