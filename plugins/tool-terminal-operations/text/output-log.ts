/** Characters kept of a program's output: the last ones. */
export const mostCharacters = 262_144;

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
  #text = "";
  #dropped = 0;

  append(text: string): void {
    this.#text += text;
    const excess = this.#text.length - mostCharacters;
    if (excess > mostCharacters / 4) this.#drop(excess);
  }

  get length(): number {
    return this.#dropped + this.#text.length;
  }

  read(from: number): OutputPiece {
    const fromIndex = Math.min(Math.max(from, this.#dropped), this.length);
    return { output: this.#text.slice(fromIndex - this.#dropped), fromIndex, nextIndex: this.length };
  }

  /** Never between the halves of a surrogate pair. */
  #drop(excess: number): void {
    const half = this.#text.charCodeAt(excess);
    const isPair = half >= 0xdc00 && half <= 0xdfff;
    const cut = excess + Number(isPair);
    this.#text = this.#text.slice(cut);
    this.#dropped += cut;
  }
}
