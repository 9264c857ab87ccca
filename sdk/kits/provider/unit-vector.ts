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
