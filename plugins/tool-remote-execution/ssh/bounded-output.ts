/** The first bytes of a stream as text, and how many there were in all. */
export class BoundedOutput {
  readonly #limit: number;
  readonly #pieces: Buffer[] = [];
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(piece: Buffer): void {
    const room = this.#limit - this.#total;
    if (room >= piece.length) this.#pieces.push(piece);
    else if (room > 0) this.#pieces.push(Buffer.from(piece.subarray(0, room)));
    this.#total += piece.length;
  }

  get total(): number {
    return this.#total;
  }

  get truncated(): boolean {
    return this.#total > this.#limit;
  }

  /** UTF-8; a character that the limit cut is left out. */
  get text(): string {
    return new TextDecoder().decode(Buffer.concat(this.#pieces), { stream: this.truncated });
  }
}
