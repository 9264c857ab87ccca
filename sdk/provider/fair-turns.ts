/** Smaller pieces, as tokens arrive in, take no turns. */
const small = 4096;
/** Bytes of large pieces that are handled in one turn of the event loop: a few milliseconds of work. */
const bytesOfTurn = 256 * 1024;

interface Waiting {
  readonly bytes: number;
  readonly go: () => void;
}

/**
 * Divides the work on answers that arrive in large pieces among turns of the event loop, first come, first
 * served, so that requests of others are answered in between.
 */
export class FairTurns {
  #left = bytesOfTurn;
  readonly #waiting: Waiting[] = [];
  #isScheduled = false;

  /** Resolves when a piece of this size may be handled; undefined where that is now. */
  take(bytes: number): Promise<void> | undefined {
    if (bytes < small) return undefined;
    this.#schedule();
    if (this.#waiting.length > 0 || this.#left <= 0)
      return new Promise((go) => void this.#waiting.push({ bytes, go }));
    this.#left -= bytes;
    return undefined;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#begin);
  }

  readonly #begin = (): void => {
    this.#isScheduled = false;
    this.#left = bytesOfTurn;
    while (this.#left > 0) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#left -= next.bytes;
      next.go();
    }
    this.#schedule();
  };
}

/** Of this process: it has one event loop. */
export const fairTurns = new FairTurns();
