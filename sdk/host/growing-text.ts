/** So many pieces are joined to one. */
const many = 64;

/**
 * A text that comes in many small pieces. Put together with `+`, each of them would stay in memory as a
 * string of its own, at many times its size.
 */
export class GrowingText {
  #joined: string[] = [];
  #newest: string[] = [];
  #length = 0;

  constructor(text = "") {
    this.add(text);
  }

  /** Characters. */
  get length(): number {
    return this.#length;
  }

  add(piece: string): void {
    this.#length += piece.length;
    this.#newest.push(piece);
    if (this.#newest.length < many) return;
    this.#joined.push(this.#newest.join(""));
    this.#newest = [];
  }

  toString(): string {
    const text = [...this.#joined, ...this.#newest].join("");
    this.#joined = [text];
    this.#newest = [];
    return text;
  }
}
