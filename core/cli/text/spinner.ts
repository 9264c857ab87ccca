import { styled } from "../visible.ts";

const frames = [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"];
const pause = 100;

/**
 * As much of a text as surely fits into so many columns: what is not ASCII may take two of them, and a line
 * that is too long becomes two, of which only one could be wiped out.
 */
function fitting(text: string, columns: number): string {
  let room = columns;
  const letters = [...text];
  const end = letters.findIndex((letter) => (room -= letter > "\u007f" ? 2 : 1) < 0);
  return end < 0 ? text : letters.slice(0, end).join("");
}

/** A line that says what is going on and for how long, below what is written. */
export class Spinner {
  #timer: NodeJS.Timeout | undefined;
  #label = "";
  #since = 0;
  #turns = 0;

  /** Begins, or goes on with another label. */
  show(label: string): void {
    if (label !== this.#label) this.#since = performance.now();
    this.#label = label;
    this.#timer ??= setInterval(() => this.#draw(), pause).unref();
  }

  /** Wipes the line out. */
  hide(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    process.stderr.write("\r\u001b[K");
  }

  #draw(): void {
    const frame = frames[this.#turns++ % frames.length] ?? "";
    const seconds = Math.floor((performance.now() - this.#since) / 1000);
    const columns = process.stderr.columns || 80;
    const time = seconds > 0 ? ` ${seconds} s` : "";
    const text = fitting(this.#label, columns - time.length - 4);
    process.stderr.write(`\r${styled("dim", `${frame} ${text}${time}`)}\u001b[K`);
  }
}
