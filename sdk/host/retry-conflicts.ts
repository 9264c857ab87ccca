import { AppError } from "../contract/errors.ts";

const most = 5;

/**
 * Work that reads, and writes on the condition that nothing has changed since: done anew where something has,
 * five times at most.
 */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === most || !AppError.is(error) || error.code !== "conflict") throw error;
    }
  }
}
