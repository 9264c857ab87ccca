import { countOf } from "@pergola/sdk";
import { printNote } from "./print-result.ts";

/** How far an import is. */
export interface Progress {
  /** Bytes. */
  readonly read: number;
  readonly all: number;
  readonly conversations: number;
  readonly messages: number;
}

/** Milliseconds between two states at a terminal, and between two lines elsewhere. */
const [redrawn, linePause] = [200, 10_000];

function textOf({ read, all, conversations, messages }: Progress): string {
  const share = Math.floor((100 * read) / Math.max(all, 1));
  return `${share} %, ${countOf(conversations, "conversation")}, ${countOf(messages, "message")}`;
}

/** How far an import is, on stderr: a line that is drawn over at a terminal, and some lines elsewhere. */
export class ImportProgress {
  readonly #isTerminal = process.stderr.isTTY;
  #last = performance.now();
  #isDrawn = false;

  show(progress: Progress): void {
    const now = performance.now();
    if (now - this.#last < (this.#isTerminal ? redrawn : linePause)) return;
    this.#last = now;
    if (!this.#isTerminal) return printNote(textOf(progress));
    this.#isDrawn = true;
    process.stderr.write(`\r${textOf(progress).slice(0, process.stderr.columns - 1)}\u001b[K`);
  }

  /** The next output begins a line of its own. */
  end(): void {
    if (this.#isDrawn) process.stderr.write("\n");
  }
}
