import { styled } from "../visible.ts";

const frames = [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"];
const pause = 100;

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
    const text = this.#label.slice(0, columns - time.length - 4);
    process.stderr.write(`\r${styled("dim", `${frame} ${text}${time}`)}\u001b[K`);
  }
}
