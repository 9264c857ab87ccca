/** Time during which at least one of many was at work, by the monotonic clock. */
export class Stopwatch {
  readonly #running = new Set<string>();
  #since = 0;
  #milliseconds = 0;

  set(id: string, isRunning: boolean): void {
    this.#add();
    if (isRunning) this.#running.add(id);
    else this.#running.delete(id);
  }

  get seconds(): number {
    this.#add();
    return this.#milliseconds / 1000;
  }

  #add(): void {
    const now = performance.now();
    if (this.#running.size > 0) this.#milliseconds += now - this.#since;
    this.#since = now;
  }
}
