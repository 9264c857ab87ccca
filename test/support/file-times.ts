import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");
const shown = 40;

/** Where the time of a test run goes: what each file took, its hooks included. */
export class FileTimes {
  readonly #milliseconds = new Map<string, number>();
  #last = performance.now();

  /** A test of this file has ended. What went before it is its file's, too. */
  add(file: string | undefined): void {
    const now = performance.now();
    const name = path.relative(root, file ?? root);
    this.#milliseconds.set(name, (this.#milliseconds.get(name) ?? 0) + now - this.#last);
    this.#last = now;
  }

  /** The slowest files, a line each: seconds and name. */
  slowest(): string {
    const sorted = [...this.#milliseconds].sort(([, one], [, other]) => other - one).slice(0, shown);
    return sorted.map(([file, time]) => `${(time / 1000).toFixed(1).padStart(7)} s  ${file}`).join("\n");
  }
}
