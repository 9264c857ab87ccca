/** A text and where its lines begin. A line feed at the very end opens no further line. */
export class TextLines {
  readonly text: string;
  readonly #starts: Uint32Array;

  constructor(text: string) {
    this.text = text;
    this.#starts = startsOf(text);
  }

  get count(): number {
    return this.#starts.length - 1;
  }

  /** The lines from one up to another, with their ends, as one text. */
  slice(from: number, to: number): string {
    return this.text.slice(this.#starts[from], this.#starts[to]);
  }

  /** A line without its end. */
  bare(index: number): string {
    return withoutEnd(this.slice(index, index + 1));
  }
}

/** A text without the line end that closes it, if one does. */
export function withoutEnd(text: string): string {
  if (text.endsWith("\r\n")) return text.slice(0, -2);
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}

/** The ends of most of a text's lines; `\n` where it has none. */
export function lineEndOf(text: string): "\n" | "\r\n" {
  if (timesIn(text, "\r\n") > timesIn(text, "\n") / 2) return "\r\n";
  return "\n";
}

/** Where each line begins, and where the last one ends. */
function startsOf(text: string): Uint32Array {
  const isOpen = text !== "" && !text.endsWith("\n");
  const starts = new Uint32Array(timesIn(text, "\n") + (isOpen ? 2 : 1));
  let end = -1;
  for (let line = 1; line < starts.length; line += 1) {
    end = text.indexOf("\n", end + 1);
    starts[line] = end < 0 ? text.length : end + 1;
  }
  return starts;
}

function timesIn(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}
