import { AppError } from "@pergola/sdk";
import { listOf } from "./json-values.ts";

/** The numbers of a list; undefined for what is no list of numbers. */
export function vectorOf(value: unknown): Float32Array | undefined {
  const numbers = listOf(value);
  if (numbers.length === 0 || !numbers.every(Number.isFinite)) return undefined;
  return Float32Array.from(numbers as readonly number[]);
}

/** The same direction with length 1; undefined for a zero vector and for what is no list of numbers. */
export function unitVector(value: unknown): Float32Array | undefined {
  const numbers = Float64Array.from(listOf(value) as readonly number[]);
  const length = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0));
  if (!Number.isFinite(length) || length === 0) return undefined;
  return Float32Array.from(numbers, (number) => number / length);
}

/** The digits that tell any 32-bit float from its neighbours, and fewer that may do. */
const [fewest, most] = [6, 9];

/** The shortest decimal that means the same 32-bit float: 0.1, where the double next to it has 17 digits. */
function shortest(value: number): number {
  for (let digits = fewest; digits < most; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(most));
}

/** The numbers of a vector, as an answer in JSON has them. */
export const decimals = (vector: Float32Array): readonly number[] => Array.from(vector, shortest);

/**
 * The first dimensions alone, at unit length again; all where none are given. Throws `out_of_range` where the
 * vector has fewer.
 */
export function shorten(vector: Float32Array, dimensions: number | undefined): Float32Array {
  if (dimensions === undefined) return vector;
  if (dimensions > vector.length)
    throw new AppError({
      code: "out_of_range",
      message: `The model's vectors have ${vector.length} dimensions.`,
      param: "dimensions",
    });
  const first = vector.slice(0, dimensions);
  const length = Math.hypot(...first);
  return first.map((value) => value / (length || 1));
}
