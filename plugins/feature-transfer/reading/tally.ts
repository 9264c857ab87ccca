/** What of an export has no place here, with the words for one and for several. */
export const leftOutNouns = {
  pictures: ["picture"],
  files: ["file"],
  recordings: ["recording"],
  toolSteps: ["step of a tool", "steps of tools"],
  systemPrompts: ["system prompt"],
  hiddenMessages: ["hidden message"],
  unknownParts: ["part of an unknown kind", "parts of unknown kinds"],
} as const satisfies Readonly<Record<string, readonly [string, string?]>>;

export type LeftOut = keyof typeof leftOutNouns;

/** Counts what is left out. */
export class Tally {
  readonly #counts = new Map<LeftOut, number>();

  add(kind: LeftOut, count = 1): void {
    if (count > 0) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count);
  }

  addAll(other: Tally): void {
    for (const [kind, count] of other.#counts) this.add(kind, count);
  }

  /** Those above 0, in the order of their words. */
  counts(): Partial<Record<LeftOut, number>> {
    const kinds = Object.keys(leftOutNouns).filter((kind) => this.#counts.has(kind as LeftOut));
    return Object.fromEntries(kinds.map((kind) => [kind, this.#counts.get(kind as LeftOut)]));
  }
}
