import { setImmediate } from "node:timers/promises";

const allowance = 1 << 18;

/**
 * Lets other work in after every 256 Ki of work units, so that a long search never holds up the process, and
 * ends it on a cancel.
 */
export class Pace {
  readonly #signal: AbortSignal;
  #spent = 0;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Rejects with the signal's reason once it is aborted. */
  async spend(units: number): Promise<void> {
    this.#spent += units;
    if (this.#spent < allowance) return;
    this.#spent = 0;
    await setImmediate();
    this.#signal.throwIfAborted();
  }
}
