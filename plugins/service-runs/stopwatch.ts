/** Time during which at least one of many was at work, by the monotonic clock. */
export class Stopwatch {
  readonly #atWork = new Set<string>();
  #since = 0;
  #milliseconds = 0;

  set(id: string, works: boolean): void {
    const now = performance.now();
    if (this.#atWork.size > 0) this.#milliseconds += now - this.#since;
    this.#since = now;
    if (works) this.#atWork.add(id);
    else this.#atWork.delete(id);
  }

  get seconds(): number {
    return (this.#milliseconds + (this.#atWork.size > 0 ? performance.now() - this.#since : 0)) / 1000;
  }
}
