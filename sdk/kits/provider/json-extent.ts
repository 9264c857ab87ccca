/** What decides where a JSON text ends. */
const mark = /["\\{}[\]]/g;

/** Tells whether a JSON object or list that comes in pieces is closed. Each piece is looked at once. */
export class JsonExtent {
  #depth = 0;
  #begun = false;
  #inString = false;
  /** The next piece begins behind a backslash. */
  #isEscaped = false;

  /** There was an opening bracket, and every one has been closed. */
  get isClosed(): boolean {
    return this.#begun && this.#depth === 0 && !this.#inString;
  }

  take(piece: string): void {
    mark.lastIndex = Number(this.#isEscaped && piece !== "");
    if (piece !== "") this.#isEscaped = false;
    for (let found = mark.exec(piece); found !== null; found = mark.exec(piece)) {
      if (found[0] === "\\") this.#skipEscaped(piece, found.index);
      else this.#pass(found[0]);
    }
  }

  #skipEscaped(piece: string, at: number): void {
    this.#isEscaped = at + 1 >= piece.length;
    mark.lastIndex = at + 2;
  }

  #pass(character: string): void {
    if (character === '"') this.#inString = !this.#inString;
    else if (!this.#inString) this.#step("{[".includes(character) ? 1 : -1);
  }

  #step(by: 1 | -1): void {
    this.#depth += by;
    this.#begun = true;
  }
}
