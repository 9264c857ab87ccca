type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** The same direction, of length 1; undefined when it has none, or is no list of numbers. */
function unit(value: unknown): Float32Array | undefined {
  if (!Array.isArray(value)) return undefined;
  const numbers = Float64Array.from(value as readonly number[]);
  const length = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0));
  return Number.isFinite(length) && length > 0
    ? Float32Array.from(numbers, (number) => number / length)
    : undefined;
}

/**
 * The vectors of an answer of `POST /embeddings`, of unit length and in the order of the texts; undefined
 * when it does not hold so many.
 */
export function readVectors(answer: unknown, count: number): readonly Float32Array[] | undefined {
  const data = isObject(answer) ? answer["data"] : undefined;
  if (!Array.isArray(data) || data.length !== count) return undefined;
  const byIndex = new Map(
    (data as readonly unknown[]).map((entry, position) => {
      const { index = position, embedding } = isObject(entry) ? entry : {};
      return [index, unit(embedding)];
    }),
  );
  const vectors = Array.from({ length: count }, (_, index) => byIndex.get(index)).filter(
    (vector) => vector !== undefined,
  );
  return vectors.length === count ? vectors : undefined;
}
