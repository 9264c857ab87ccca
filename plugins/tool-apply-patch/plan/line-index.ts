/**
 * Where each line of a text occurs. Lines are compared by numbers: all equal lines have one. Finding a run
 * of lines costs as much as its rarest line occurs often, not as much as the text is long.
 */
export class LineIndex {
  readonly #numbers = new Map<string, number>();
  /** The number of each line. */
  readonly #lines: Uint32Array;
  /** Every line's index, grouped by its number; a group begins where `#groups` says. */
  readonly #places: Uint32Array;
  readonly #groups: Uint32Array;

  constructor(count: number, lineAt: (index: number) => string) {
    this.#lines = new Uint32Array(count);
    for (let index = 0; index < count; index += 1) {
      const line = lineAt(index);
      const number = this.#numbers.get(line) ?? this.#numbers.size;
      this.#numbers.set(line, number);
      this.#lines[index] = number;
    }
    this.#groups = groupsOf(this.#lines, this.#numbers.size);
    this.#places = placesIn(this.#lines, this.#groups);
  }

  /** A run of lines as the search takes it; undefined when one of them occurs nowhere. */
  run(lines: readonly string[]): LineRun | undefined {
    const numbers = lines.map((line) => this.#numbers.get(line));
    if (!numbers.every((number) => number !== undefined)) return undefined;
    let rarest = 0;
    for (const [at, number] of numbers.entries())
      if (this.#timesOf(number) < this.#timesOf(numbers[rarest]!)) rarest = at;
    return { numbers, rarest };
  }

  /** The first index from the given one on at which a run occurs. */
  next(run: LineRun | undefined, from: number): number | undefined {
    if (run === undefined) return undefined;
    const { numbers, rarest } = run;
    const group = numbers[rarest]!;
    const end = this.#groups[group + 1]!;
    for (let at = this.#firstPlace(group, from + rarest); at < end; at += 1) {
      const start = this.#places[at]! - rarest;
      if (numbers.every((number, index) => this.#lines[start + index] === number)) return start;
    }
    return undefined;
  }

  #timesOf(number: number): number {
    return this.#groups[number + 1]! - this.#groups[number]!;
  }

  /** Where in `#places` the indexes of a line begin that are not below the given one. */
  #firstPlace(group: number, from: number): number {
    let low = this.#groups[group]!;
    let high = this.#groups[group + 1]!;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#places[middle]! < from) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Lines by their numbers, and which of them occurs least often. */
export interface LineRun {
  readonly numbers: readonly number[];
  readonly rarest: number;
}

function groupsOf(lines: Uint32Array, count: number): Uint32Array {
  const groups = new Uint32Array(count + 1);
  for (const number of lines) groups[number + 1]! += 1;
  for (let number = 0; number < count; number += 1) groups[number + 1]! += groups[number]!;
  return groups;
}

function placesIn(lines: Uint32Array, groups: Uint32Array): Uint32Array {
  const free = groups.slice();
  const places = new Uint32Array(lines.length);
  for (const [index, number] of lines.entries()) places[free[number]!++] = index;
  return places;
}
