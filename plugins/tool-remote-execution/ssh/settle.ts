import { ToolError } from "@pergola/sdk";

export type Done<T> = (error: Error | null | undefined, value?: T) => void;

export interface Bounds {
  /** After which the promise rejects with `timeout`. */
  readonly seconds: number;
  readonly signal?: AbortSignal | undefined;
  /** Rejects when the connection ends. */
  readonly ended?: Promise<never>;
}

/** Why a call was ended from outside: what the host says, else `cancelled`. */
export function abortReason({ reason }: AbortSignal): ToolError {
  if (ToolError.is(reason)) return reason;
  return new ToolError("cancelled", "The call was cancelled.");
}

/**
 * A callback's value. Rejects when the time passes, the signal fires or the connection ends, whichever is
 * first.
 */
export async function settle<T>(
  start: (done: Done<T>) => void,
  { seconds, signal, ended }: Bounds,
): Promise<T> {
  if (signal?.aborted === true) throw abortReason(signal);
  const work = new AbortController();
  const first = new Promise<T>((resolve, reject) => {
    const late = (): void =>
      reject(
        new ToolError("timeout", `No answer within ${seconds} s.`, {
          hint: "The machine may be overloaded; a retry may help.",
        }),
      );
    const timer = setTimeout(late, seconds * 1000);
    work.signal.addEventListener("abort", () => clearTimeout(timer));
    signal?.addEventListener("abort", () => reject(abortReason(signal)), { once: true, signal: work.signal });
    ended?.catch(reject);
    try {
      // That the connection ended tells more than what failed by it.
      start((error, value) => {
        if (error) setImmediate(() => reject(error));
        else resolve(value as T);
      });
    } catch (error) {
      reject(error);
    }
  });
  return first.finally(() => work.abort());
}
