/** Something that waits. */
export interface Wait {
  /** Since when it has waited for what it waits for now, by `performance.now()`. */
  from: number;
  /** Called once it has waited for too long; the work itself cannot be stopped here. */
  readonly overdue: (error: Error) => void;
}

/** One limit for many waits: a single timer serves them all. */
export class TimeLimit {
  readonly #milliseconds: number;
  readonly #waits = new Set<Wait>();
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** Watches over it, until it is removed or overdue. */
  add(wait: Wait): void {
    this.#waits.add(wait);
    if (this.#timer === undefined) this.#arm(this.#milliseconds);
  }

  /** Whether anything waits. */
  get isWaiting(): boolean {
    return this.#waits.size > 0;
  }

  remove(wait: Wait): void {
    this.#waits.delete(wait);
  }

  #arm(milliseconds: number): void {
    this.#timer = setTimeout(() => this.#endOverdue(), Math.ceil(milliseconds));
    this.#timer.unref();
  }

  #endOverdue(): void {
    this.#timer = undefined;
    const begun = performance.now() - this.#milliseconds;
    const isOverdue = ({ from }: Wait): boolean => from <= begun;
    for (const wait of [...this.#waits].filter(isOverdue)) {
      this.#waits.delete(wait);
      wait.overdue(new Error(`took longer than ${this.#milliseconds / 1000} s`));
    }
    const oldest = Math.min(...[...this.#waits].map(({ from }) => from));
    if (this.#timer === undefined && this.#waits.size > 0) this.#arm(oldest - begun);
  }
}
