import { AppError } from "../contract/errors.ts";
import { isFenced } from "./is-fenced.ts";

const most = 5;

/**
 * Work that reads, and writes on the condition that nothing has changed since: done anew where something has,
 * five times at most. What another host has taken over is not tried again.
 */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const isConflict = AppError.is(error) && error.code === "conflict" && !isFenced(error);
      if (tries === most || !isConflict) throw error;
    }
  }
}
