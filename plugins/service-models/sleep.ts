import { setTimeout } from "node:timers/promises";

/** Resolves after `milliseconds`; rejects at once with the signal's reason when it aborts. */
export const sleep = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  await setTimeout(milliseconds, undefined, { signal, ref: false }).catch((cause: unknown) => {
    throw signal.reason ?? cause;
  });
};
