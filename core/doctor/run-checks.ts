import { AppError } from "@pergola/sdk";
import { withDeadline } from "@pergola/sdk/host";
import { fault, type Finding } from "./findings.ts";

/** One look at a side of the installation. */
export interface Check {
  readonly id: string;
  readonly what: string;
  /** The signal aborts when nobody waits for it any more. */
  look(signal: AbortSignal): Promise<readonly Finding[]> | readonly Finding[];
}

export interface CheckOptions {
  /** Milliseconds for all. */
  readonly limit: number;
  /** Hears of each check that fails or does not end; what it throws, all checks end with. */
  readonly failed: (fields: { readonly check: string; readonly error: unknown }) => void;
}

/** Milliseconds that all checks have: with what is around them, an answer takes 15 seconds at most. */
export const checkLimit = 14_000;

/**
 * What all checks find, in their order; they are at work at the same time. In place of the findings of one
 * that fails, or does not end in time, there is a fault that says so.
 */
export async function runChecks(
  checks: readonly Check[],
  options: CheckOptions,
): Promise<readonly Finding[]> {
  return (await Promise.all(checks.map((check) => runCheck(check, options)))).flat();
}

/** Whether somebody's time was over. */
export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === "TimeoutError";

async function runCheck(check: Check, { limit, failed }: CheckOptions): Promise<readonly Finding[]> {
  const { id, what } = check;
  const leaving = new AbortController();
  const late = (): Error => {
    leaving.abort();
    return new DOMException(`The check did not end within ${limit / 1000} seconds.`, "TimeoutError");
  };
  const look = async (): Promise<readonly Finding[]> => check.look(leaving.signal);
  try {
    return await withDeadline(look(), limit, late);
  } catch (error) {
    failed({ check: id, error });
    return [fault({ id, what, ...reasonOf(error) })];
  }
}

function reasonOf(error: unknown): { readonly detail: string; readonly remedy?: string } {
  if (AppError.is(error)) return { detail: error.message };
  if (isTimeout(error)) return { detail: "this check did not end in time", remedy: "look again in a minute" };
  return { detail: "this check failed", remedy: "the log of the service says why" };
}
