import { startThread, toToolError, WorkerPool, workerUrl, type ThreadOptions } from "@pergola/kit-worker";
import { ToolError } from "@pergola/sdk";
import type { CheckTasks } from "./messages.ts";

const toError = toToolError(
  ({ message }) =>
    new ToolError("generic_error", `The code could not be analysed: ${message}.`, {
      hint: "Name fewer files, or read them instead.",
    }),
);

/** Milliseconds for all files; after it, only their syntax is checked. */
const deadline = 60_000;

/**
 * A thread that checks types, so that the process stays responsive; it starts with the first task, and its
 * owner ends it. A check of a very large project ends with its thread, not with the process.
 */
export const checkerThread = (options: ThreadOptions) =>
  new WorkerPool<CheckTasks>({
    start: () => startThread(workerUrl("types.worker", import.meta.url), { ...options, memoryLimit: 1024 }),
    toError,
    deadline,
    idleAfter: 60_000,
  });
