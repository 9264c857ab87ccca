/** How much a process may log: so many lines in each second. */
export class LineBudget {
  readonly #perSecond: number;
  readonly #now: () => number;
  #began = -Infinity;
  #used = 0;

  /** `now` in milliseconds. */
  constructor(perSecond: number, now = () => performance.now()) {
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** Uses up one line; false when there is none left in this second. */
  take(): boolean {
    const now = this.#now();
    if (now - this.#began >= 1000) {
      this.#began = now;
      this.#used = 0;
    }
    this.#used += 1;
    return this.#used <= this.#perSecond;
  }

  /** Milliseconds until there are lines again. */
  get wait(): number {
    return Math.max(0, this.#began + 1000 - this.#now());
  }
}
