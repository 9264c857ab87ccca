import { AppError } from "@pergola/sdk";
import type { AppErrorDetails } from "@pergola/sdk/host";

/** An error that a client may see, with a code of the table. */
export const fault = (code: string, message: string, more: Partial<AppErrorDetails> = {}): AppError =>
  new AppError({ code, message, ...more });
