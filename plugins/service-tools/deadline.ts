import { performance } from "node:perf_hooks";
import { ToolError } from "@pergola/sdk";

/** Milliseconds that a call gets to stop after a cancel, before it is answered without it. */
const graceMilliseconds = 1500;

/**
 * A call's time limit, by the monotonic clock. Waiting for the person does not count; a cancel ends the call
 * whatever it does.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  readonly #begun = performance.now();
  #waited = 0;
  #paused = 0;
  #expire: (() => void) | undefined;
  readonly signal: AbortSignal;

  constructor(outer: AbortSignal) {
    this.#outer = outer;
    this.signal = AbortSignal.any([outer, this.#controller.signal]);
  }

  /** Milliseconds of work so far. */
  elapsed(): number {
    return performance.now() - this.#begun - this.#waited;
  }

  async pause<T>(wait: Promise<T>): Promise<T> {
    const from = performance.now();
    this.#paused += 1;
    try {
      return await wait;
    } finally {
      this.#paused -= 1;
      this.#waited += performance.now() - from;
    }
  }

  /** The work's result; rejects with `timeout` after `seconds` (0 = none), and after a cancel. */
  async limit<T>(work: Promise<T>, seconds: number): Promise<T> {
    let cancelled = (): void => undefined;
    const stopped = new Promise<never>((_, reject) => {
      this.#expire = () =>
        reject(
          new ToolError("timeout", `The call took longer than ${seconds} s.`, {
            hint: "Ask for less at once, or raise tools.timeout_seconds.",
          }),
        );
      cancelled = () =>
        setTimeout(
          () => reject(new ToolError("cancelled", "The call was cancelled.")),
          graceMilliseconds,
        ).unref();
    });
    stopped.catch(() => undefined);
    this.#outer.addEventListener("abort", cancelled, { once: true });
    if (this.#outer.aborted) cancelled();
    const timer =
      seconds > 0 ? setInterval(() => this.#look(seconds), Math.min(1000, seconds * 100)) : undefined;
    timer?.unref();
    try {
      return await Promise.race([work, stopped]);
    } finally {
      clearInterval(timer);
      this.#outer.removeEventListener("abort", cancelled);
    }
  }

  #look(seconds: number): void {
    if (this.#paused > 0 || this.elapsed() < seconds * 1000) return;
    this.#controller.abort(new ToolError("timeout", `The call took longer than ${seconds} s.`));
    setTimeout(() => this.#expire?.(), graceMilliseconds).unref();
  }
}
