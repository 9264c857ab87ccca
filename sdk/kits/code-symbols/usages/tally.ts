import type { UsageKind } from "../languages/language.ts";

const ranks: Readonly<Record<UsageKind, number>> = { definition: 0, declaration: 1, call: 2, reference: 2 };

/** Keeps the first usages of each rank, and counts all. */
export class Tally<U extends { readonly kind: UsageKind }> {
  readonly counts: Record<UsageKind, number> = { definition: 0, declaration: 0, call: 0, reference: 0 };
  readonly #usages: readonly U[][] = [[], [], []];
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(usages: readonly U[]): void {
    for (const usage of usages) {
      this.counts[usage.kind] += 1;
      const sameRank = this.#usages[ranks[usage.kind]];
      if (sameRank !== undefined && sameRank.length < this.#limit) sameRank.push(usage);
    }
  }

  /**
   * Definitions first, then declarations, then all else in the order they were added; no more than the limit.
   */
  get usages(): readonly U[] {
    return this.#usages.flat().slice(0, this.#limit);
  }
}
