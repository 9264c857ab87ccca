/** Characters kept of a program's output: the last ones. */
export const keptCharacters = 262_144;

export interface OutputPiece {
  readonly output: string;
  /** Where `output` begins: later than asked for when what lay before was dropped. */
  readonly fromIndex: number;
  /** Where to go on. */
  readonly nextIndex: number;
}

/**
 * The last part of an output of any length. Characters are counted from the output's beginning, so an index
 * keeps its meaning.
 */
export class OutputLog {
  #kept = "";
  #dropped = 0;

  append(text: string): void {
    this.#kept += text;
    const excess = this.#kept.length - keptCharacters;
    if (excess > keptCharacters / 4) this.#drop(excess);
  }

  get length(): number {
    return this.#dropped + this.#kept.length;
  }

  read(from: number): OutputPiece {
    const fromIndex = Math.min(Math.max(from, this.#dropped), this.length);
    return { output: this.#kept.slice(fromIndex - this.#dropped), fromIndex, nextIndex: this.length };
  }

  /** Never between the halves of a surrogate pair. */
  #drop(excess: number): void {
    const half = this.#kept.charCodeAt(excess);
    const cut = half >= 0xdc00 && half <= 0xdfff ? excess + 1 : excess;
    this.#kept = this.#kept.slice(cut);
    this.#dropped += cut;
  }
}
