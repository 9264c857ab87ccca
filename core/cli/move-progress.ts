import { countOf } from "@pergola/sdk";
import { printNote } from "./print-result.ts";

/** Milliseconds between two states at a terminal, and between two lines elsewhere. */
const [redrawn, linePause] = [200, 10_000];

/** How far a move is, on stderr: a line that is drawn over at a terminal, and some lines elsewhere. */
export class MoveProgress {
  readonly #isTerminal = process.stderr.isTTY;
  readonly #isSilent: boolean;
  #count = 0;
  #last = performance.now();
  #isDrawn = false;

  constructor(isSilent: boolean) {
    this.#isSilent = isSilent;
  }

  add(what: string, count: number): void {
    this.#count += count;
    const now = performance.now();
    if (this.#isSilent || now - this.#last < (this.#isTerminal ? redrawn : linePause)) return;
    this.#last = now;
    this.#show(`Copying: ${countOf(this.#count, "record")}, now ${what}`);
  }

  compare(): void {
    if (!this.#isSilent) this.#show(`Copied: ${countOf(this.#count, "record")}. Comparing…`);
  }

  #show(text: string): void {
    if (!this.#isTerminal) return printNote(text);
    this.#isDrawn = true;
    process.stderr.write(`\r${text.slice(0, process.stderr.columns - 1)}\u001b[K`);
  }

  /** The next output begins a line of its own. */
  end(): void {
    if (this.#isDrawn) process.stderr.write("\n");
  }
}
