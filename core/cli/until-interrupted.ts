import { exitCodes } from "./exit-codes.ts";

/** The first Ctrl-C, or SIGTERM, ends the work; a second one leaves at once. */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ending = new AbortController();
  const stop = (): void => {
    if (ending.signal.aborted) process.exit(exitCodes.interrupted);
    ending.abort();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  try {
    return await work(ending.signal);
  } finally {
    process.off("SIGINT", stop);
    process.off("SIGTERM", stop);
  }
}
