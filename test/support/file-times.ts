import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");
const shown = 40;
/** As Linux counts the time of ended programs. */
const ticksPerSecond = 100;

/** Seconds on a processor of programs that have ended, and of theirs; 0 where the system does not tell. */
function programSeconds(): number {
  const file = "/proc/self/stat";
  if (!existsSync(file)) return 0;
  const fields = readFileSync(file, "utf8").replace(/.*\) /, "").split(" ");
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
}

function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + programSeconds();
}

/** Where the time of a test run goes: what each file took, its hooks included. */
export class FileTimes {
  readonly #taken = new Map<string, { readonly seconds: number; readonly processor: number }>();
  #last = performance.now() / 1000;
  #lastProcessor = processorSeconds();

  /** A test of this file has ended. What went before it is its file's, too. */
  add(file: string | undefined): void {
    const now = performance.now() / 1000;
    const processor = processorSeconds();
    const name = path.relative(root, file ?? root);
    const before = this.#taken.get(name) ?? { seconds: 0, processor: 0 };
    this.#taken.set(name, {
      seconds: before.seconds + now - this.#last,
      processor: before.processor + processor - this.#lastProcessor,
    });
    [this.#last, this.#lastProcessor] = [now, processor];
  }

  /**
   * The slowest files, a line each: seconds, seconds on a processor of this process and the programs that it
   * ran, and name.
   */
  slowest(): string {
    const sorted = [...this.#taken].sort(([, one], [, other]) => other.seconds - one.seconds);
    const column = (value: number): string => value.toFixed(1).padStart(7);
    return sorted
      .slice(0, shown)
      .map(([file, { seconds, processor }]) => `${column(seconds)} s ${column(processor)} s  ${file}`)
      .join("\n");
  }
}
