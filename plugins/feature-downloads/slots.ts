/** So many at the same time; others wait for their turn, the first first. */
export class Slots {
  readonly #most: () => number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(most: () => number) {
    this.#most = most;
  }

  /**
   * Resolves with the function that gives the place back. Rejects with the signal's reason when that aborts
   * first.
   */
  async enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal.reason);
      };
      const enter = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.push(enter);
      this.#next();
    });
    return () => {
      this.#taken -= 1;
      this.#next();
    };
  }

  #next(): void {
    while (this.#waiting.length > 0 && this.#taken < this.#most()) {
      this.#taken += 1;
      this.#waiting.shift()?.();
    }
  }
}
