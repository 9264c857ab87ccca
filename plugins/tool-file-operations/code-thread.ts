import {
  startThread,
  toToolError,
  WorkerPool,
  workerUrl,
  type Tasks,
  type ThreadOptions,
} from "@pergola/kit-worker";
import { ToolError } from "@pergola/sdk";

const toError = toToolError(
  ({ message }) =>
    new ToolError("generic_error", `The code could not be analysed: ${message}.`, {
      hint: "Name fewer files, or read them instead.",
    }),
);

/**
 * A thread that analyses code, so that the process goes on meanwhile; it begins with the first task and is to
 * be ended by its owner. A check of a very large project ends with its thread, not with the process.
 */
export const codeThread = <T extends Tasks<T>>(name: "syntax" | "types", options: ThreadOptions = {}) =>
  new WorkerPool<T>({
    start: () => startThread(workerUrl(`${name}.worker`, import.meta.url), { ...options, memoryLimit: 1024 }),
    toError,
    idleAfter: 60_000,
  });
