interface Wait {
  /** By `performance.now()`. */
  readonly until: number;
  readonly end: () => void;
}

/** One limit for many waits: all last equally long, so a single timer, for the oldest, serves them all. */
export class TimeLimit {
  readonly #milliseconds: number;
  readonly #waits = new Set<Wait>();
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /**
   * Settles as the work does, or rejects once the limit is over, counted from `began` (`performance.now()`);
   * the work itself cannot be stopped here.
   */
  within(work: PromiseLike<unknown>, began: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const tooLong = (): void => reject(new Error(`took longer than ${this.#milliseconds / 1000} s`));
      const wait = { until: began + this.#milliseconds, end: tooLong };
      this.#waits.add(wait);
      if (this.#timer === undefined) this.#arm(this.#milliseconds);
      work.then(
        (value) => {
          this.#waits.delete(wait);
          resolve(value);
        },
        (error: unknown) => {
          this.#waits.delete(wait);
          reject(error);
        },
      );
    });
  }

  #arm(milliseconds: number): void {
    this.#timer = setTimeout(() => this.#endOverdue(), milliseconds);
    this.#timer.unref();
  }

  #endOverdue(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const wait of this.#waits) {
      if (wait.until > now) return this.#arm(Math.ceil(wait.until - now));
      this.#waits.delete(wait);
      wait.end();
    }
  }
}
