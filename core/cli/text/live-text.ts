import type { Writable } from "node:stream";
import stringWidth from "fast-string-width";
import type { AnswerText } from "./plain-text.ts";
import { renderBlocks, splitBlocks } from "./markdown.ts";

interface Terminal extends Writable {
  readonly columns?: number;
  readonly rows?: number;
}

/** Lines longer than this are hard to read. */
const widest = 100;

/**
 * Markdown at a terminal. The last block is drawn again whenever more of it comes; those before it are final.
 */
export class LiveText implements AnswerText {
  readonly #terminal: Terminal;
  /** The source of the last block. */
  #source = "";
  /** What is drawn of it; the cursor stands at its end. */
  #lines: readonly string[] = [];

  constructor(terminal: Terminal = process.stdout) {
    this.#terminal = terminal;
  }

  get atLineStart(): boolean {
    return this.#lines.length === 0;
  }

  push(text: string): void {
    const { ended, last, rest } = splitBlocks(this.#source + text);
    for (const block of ended) {
      this.#draw(renderBlocks([block], this.#width));
      this.#write("\n\n");
      this.#lines = [];
    }
    this.#source = rest;
    if (last !== undefined) this.#draw(renderBlocks([last], this.#width));
  }

  end(): void {
    if (!this.atLineStart) this.#write("\n");
    this.#source = "";
    this.#lines = [];
  }

  get #columns(): number {
    return this.#terminal.columns || 80;
  }

  get #width(): number {
    return Math.min(this.#columns, widest);
  }

  /** Writes what differs from what stands there. */
  #draw(lines: readonly string[]): void {
    const old = this.#lines;
    this.#lines = lines;
    const same = lines.findIndex((line, index) => line !== old[index]);
    if (same === -1 && lines.length === old.length) return;
    const from = same === -1 ? lines.length - 1 : same;
    const [last = ""] = old.slice(-1);
    const begins = from === old.length - 1 && lines[from]?.startsWith(last);
    if (begins) return this.#write(lines.slice(from).join("\n").slice(last.length));
    if (from >= old.length) return this.#write((from > 0 ? "\n" : "") + lines.slice(from).join("\n"));
    this.#redraw(old, lines, from);
  }

  /** Goes up to the first line that differs, as far as it is still on the screen. */
  #redraw(old: readonly string[], lines: readonly string[], from: number): void {
    const height = (this.#terminal.rows || 24) - 1;
    let first = old.length - 1;
    let up = Math.min(this.#rowsOf(old[first]!), height);
    while (first > from && up + this.#rowsOf(old[first - 1]!) <= height) up += this.#rowsOf(old[--first]!);
    const move = up > 1 ? `\u001b[${up - 1}A` : "";
    this.#write(`${move}\r\u001b[J${lines.slice(first).join("\n")}`);
  }

  #rowsOf(line: string): number {
    return Math.max(1, Math.ceil(stringWidth(line) / this.#columns));
  }

  #write(text: string): void {
    this.#terminal.write(text);
  }
}
