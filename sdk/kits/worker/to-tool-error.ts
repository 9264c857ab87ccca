import { ToolError } from "@pergola/sdk";
import type { ToError, WorkerFailure } from "./failure.ts";

/**
 * For workers of tools: a ToolError that a task throws arrives as it is; `failed` makes one of any other
 * failure.
 */
export const toToolError =
  (failed: (failure: WorkerFailure) => ToolError): ToError =>
  (failure) => {
    const { code, message = "", hint = "", details } = failure.fault ?? {};
    if (code === undefined) return failed(failure);
    return new ToolError(code, message, { hint, ...(details && { fields: details }) });
  };
