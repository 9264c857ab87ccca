/** Rows in a block: lists grow by blocks, so that nothing is copied. */
const blockSize = 4096;

/**
 * The signs of a vector's components, one bit each: where few signs differ, the angle is likely to be small
 * (Charikar, 2002).
 */
export function codeOf(vector: Float32Array): Uint32Array {
  const code = new Uint32Array(Math.ceil(vector.length / 32));
  for (let index = 0; index < vector.length; index++)
    if (vector[index]! > 0) code[index >>> 5]! |= 1 << (index & 31);
  return code;
}

/** How many bits of a word are set, in each of its eight groups of four (Warren, Hacker's Delight, 5-1). */
function bitsByFour(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  return (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
}

/** The sum of eight groups of four bits. */
const sumOf = (fours: number): number =>
  Math.imul((fours & 0x0f0f0f0f) + ((fours >>> 4) & 0x0f0f0f0f), 0x01010101) >>> 24;

interface Block {
  readonly rows: Uint32Array;
  readonly codes: Uint32Array;
}

/**
 * Codes by row, and which of them differ in the fewest bits from another one: some 20 ns for each of 384
 * bits.
 */
export class CodeList {
  /** 32-bit words in a code. */
  readonly words: number;
  readonly #blocks: Block[] = [];
  #length = 0;

  constructor(words: number) {
    this.words = words;
  }

  get bytes(): number {
    return this.#blocks.length * blockSize * (this.words + 1) * Uint32Array.BYTES_PER_ELEMENT;
  }

  /** 0 when there is none. */
  get lastRow(): number {
    return this.#blocks.at(-1)?.rows[(this.#length - 1) % blockSize] ?? 0;
  }

  append(row: number, code: Uint8Array): void {
    const at = this.#length++ % blockSize;
    if (at === 0)
      this.#blocks.push({ rows: new Uint32Array(blockSize), codes: new Uint32Array(blockSize * this.words) });
    const { rows, codes } = this.#blocks.at(-1)!;
    rows[at] = row;
    new Uint8Array(codes.buffer).set(code, at * this.words * Uint32Array.BYTES_PER_ELEMENT);
  }

  /**
   * Rows of the codes that differ least: as many as wanted, and those that differ as little as the last of
   * them.
   */
  nearest(code: Uint32Array, count: number): readonly number[] {
    const counts = new Uint32Array(32 * this.words + 1);
    const distances = this.#blocks.map(({ codes }, block) =>
      distancesIn(codes, code, this.#lengthOf(block), counts),
    );
    const farthest = farthestOf(counts, count);
    const rows: number[] = [];
    for (const [block, of] of distances.entries())
      for (let at = 0; at < of.length; at++)
        if (of[at]! <= farthest) rows.push(this.#blocks[block]!.rows[at]!);
    return rows;
  }

  #lengthOf(block: number): number {
    return Math.min(blockSize, this.#length - block * blockSize);
  }
}

/**
 * Words whose groups are counted before they are summed: three times four is the most that four bits hold.
 */
const together = 3;

/** In how many bits each of some codes differs from another one; counts the distances. */
function distancesIn(
  codes: Uint32Array,
  code: Uint32Array,
  length: number,
  counts: Uint32Array,
): Uint16Array {
  const distances = new Uint16Array(length);
  const words = code.length;
  for (let at = 0, from = 0; at < length; at++, from += words) {
    let bits = 0;
    for (let word = 0; word < words; word += together) {
      let fours = bitsByFour(codes[from + word]! ^ code[word]!);
      if (word + 1 < words) fours += bitsByFour(codes[from + word + 1]! ^ code[word + 1]!);
      if (word + 2 < words) fours += bitsByFour(codes[from + word + 2]! ^ code[word + 2]!);
      bits += sumOf(fours);
    }
    distances[at] = bits;
    counts[bits]! += 1;
  }
  return distances;
}

/** The distance within which as many lie as wanted, or all. */
function farthestOf(counts: Uint32Array, limit: number): number {
  let sum = 0;
  for (const [distance, count] of counts.entries()) {
    sum += count;
    if (sum >= limit) return distance;
  }
  return counts.length;
}
