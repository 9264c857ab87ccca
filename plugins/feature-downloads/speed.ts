/** Milliseconds in which a sample's weight falls to 1/e. */
const memory = 5000;

/** Bytes per second as an exponentially weighted moving average over samples that come at any time. */
export class Speed {
  #average = 0;
  #weight = 0;
  #bytes = 0;
  #since: number;

  constructor(now: number) {
    this.#since = now;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
  }

  /** At a time in milliseconds, not before the last one that was asked for. Silence counts too. */
  at(now: number): number {
    const elapsed = now - this.#since;
    if (elapsed < 100) return Math.round(this.#average / (this.#weight || 1));
    const share = 1 - Math.exp(-elapsed / memory);
    this.#average += share * ((this.#bytes * 1000) / elapsed - this.#average);
    this.#weight += share * (1 - this.#weight);
    [this.#bytes, this.#since] = [0, now];
    return Math.round(this.#average / this.#weight);
  }
}
