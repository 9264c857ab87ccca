const longestLine = 300;

/** Lines of a text, found by the place of a character. */
export class Lines {
  readonly #lines: readonly string[];
  readonly #starts: readonly number[];

  constructor(text: string) {
    const lines = text.split("\n");
    const starts = [0];
    for (const { length } of lines) starts.push((starts.at(-1) ?? 0) + length + 1);
    this.#starts = starts.slice(0, -1);
    this.#lines = lines.map((line) => line.replace(/\r$/, ""));
  }

  /** Line and column, both from 1, columns in UTF-16 units, of a place counted in UTF-16 units. */
  position(at: number): { readonly line: number; readonly column: number } {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: at - (this.#starts[low] ?? 0) + 1 };
  }

  /** A line with as many around it; of a long line, the piece around the column. */
  around(line: number, column: number, count: number): string {
    const first = Math.max(0, line - 1 - count);
    const pieces = this.#lines.slice(first, line + count).map((text) => piece(text, 1));
    pieces[line - 1 - first] = piece(this.#lines[line - 1] ?? "", column);
    return pieces.join("\n");
  }
}

const ellipsis = (isCut: boolean): string => (isCut ? "…" : "");

function piece(text: string, column: number): string {
  if (text.length <= longestLine) return text;
  const start = Math.max(0, Math.min(column - 1 - longestLine / 2, text.length - longestLine));
  const end = start + longestLine;
  return `${ellipsis(start > 0)}${text.slice(start, end)}${ellipsis(end < text.length)}`;
}
