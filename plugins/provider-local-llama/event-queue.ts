type Step<T> = { readonly done: false; readonly value: T } | { readonly done: true };

/** Hands what one side pushes to the other side that waits. */
export class EventQueue<T> {
  readonly #values: T[] = [];
  #ended = false;
  #error: Error | undefined;
  #wake: () => void = () => undefined;

  push(value: T): void {
    this.#values.push(value);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  fail(error: Error): void {
    this.#error = error;
    this.#wake();
  }

  /**
   * The next value. Rejects with what was failed with, or with `late()` after so many milliseconds without
   * anything.
   */
  async next(milliseconds: number, late: () => Error): Promise<Step<T>> {
    if (!this.#isReady) await this.#awaken(milliseconds, late);
    if (this.#values.length > 0) return { done: false, value: this.#values.shift() as T };
    if (this.#error !== undefined) throw this.#error;
    return { done: true };
  }

  get #isReady(): boolean {
    return this.#values.length > 0 || this.#ended || this.#error !== undefined;
  }

  #awaken(milliseconds: number, late: () => Error): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(late()), milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
