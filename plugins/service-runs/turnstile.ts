/**
 * Lets one at a time pass; before the next one, everything else that is due has its turn. However many come
 * at once, what flows already goes on.
 */
export class Turnstile {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  async pass(): Promise<void> {
    if (this.#isTaken) return new Promise((pass) => this.#waiting.push(pass));
    this.#isTaken = true;
    setImmediate(this.#next);
  }

  readonly #next = (): void => {
    const pass = this.#waiting.shift();
    this.#isTaken = pass !== undefined;
    if (pass === undefined) return;
    pass();
    setImmediate(this.#next);
  };
}
