/** Work that is asked for many times over and done once, a little later. */
export class Soon {
  readonly #milliseconds: number;
  readonly #work: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number, work: () => void) {
    this.#milliseconds = milliseconds;
    this.#work = work;
  }

  ask(): void {
    if (this.#timer !== undefined) return;
    const run = (): void => {
      this.#timer = undefined;
      this.#work();
    };
    this.#timer = setTimeout(run, this.#milliseconds).unref();
  }
}
