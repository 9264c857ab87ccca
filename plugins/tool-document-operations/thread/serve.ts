import { parentPort, workerData } from "node:worker_threads";
import { ToolError } from "@pergola/sdk";

/**
 * What a thread says of its job: the answer, a failure to be told to the model, or what went wrong inside.
 */
export type Reply =
  | { readonly answer: unknown }
  | { readonly failure: { readonly code: string; readonly message: string; readonly hint: string } }
  | { readonly broken: string };

/** Runs in a thread: does the one job that the thread was started for. */
export async function serve<J>(work: (job: J) => Promise<unknown>): Promise<void> {
  parentPort?.postMessage(await replyOf(work, workerData as J));
}

async function replyOf<J>(work: (job: J) => Promise<unknown>, job: J): Promise<Reply> {
  try {
    return { answer: await work(job) };
  } catch (error) {
    if (ToolError.is(error))
      return { failure: { code: error.code, message: error.message, hint: error.hint } };
    return { broken: error instanceof Error ? error.message : String(error) };
  }
}
