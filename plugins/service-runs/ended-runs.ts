import type { RunInProgress } from "./run-in-progress.ts";

const most = 16;
/** Bytes of all of them together. */
const mostBytes = 2 * 1024 * 1024;

/** The runs that ended last, with their events; of older and larger ones the store has them. */
export class EndedRuns {
  /** Oldest first. */
  readonly #runs = new Map<string, RunInProgress>();
  #bytes = 0;

  get(id: string): RunInProgress | undefined {
    return this.#runs.get(id);
  }

  /** Those that ended before `oldest` go too. */
  add(run: RunInProgress, oldest: string): void {
    const before = this.#runs.get(run.id);
    if (before !== undefined) this.#remove(before);
    this.#runs.set(run.id, run);
    this.#bytes += run.size;
    for (const ended of this.#runs.values()) {
      const isTooMuch = this.#runs.size > most || this.#bytes > mostBytes;
      if (isTooMuch || (ended.record.endedAt ?? "") < oldest) this.#remove(ended);
    }
  }

  #remove({ id, size }: RunInProgress): void {
    this.#runs.delete(id);
    this.#bytes -= size;
  }
}
