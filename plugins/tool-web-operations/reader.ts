import { startThread, toToolError, WorkerPool, workerUrl } from "@pergola/kit-worker";
import { ToolError } from "@pergola/sdk";
import type { ReadTasks } from "./reading/read-tasks.ts";

/**
 * Reads HTML in threads, so that no page holds up the process. One that takes all memory or too long ends
 * its thread, and rejects with ToolError `generic_error`.
 */
export const reader = new WorkerPool<ReadTasks>({
  start: () => startThread(workerUrl("reader.worker", import.meta.url), { memoryLimit: 512 }),
  toError: toToolError(
    ({ message }) =>
      new ToolError("generic_error", `The page could not be read: ${message}.`, {
        hint: "Try another page.",
      }),
  ),
  size: 2,
  deadline: 10_000,
  // Starting a thread costs more than reading most pages.
  idleAfter: 60_000,
});
