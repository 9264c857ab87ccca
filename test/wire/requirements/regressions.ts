export type RegressionId = `${"C" | "S" | "A" | "T" | "W" | "R"}${number}`;

/** The ids of a letter from 01 to the last one. */
const upTo = (letter: "C" | "S" | "A" | "T" | "W" | "R", last: number): readonly RegressionId[] =>
  Array.from(
    { length: last },
    (_, index) => `${letter}${String(index + 1).padStart(2, "0")}` as RegressionId,
  );

/** There is no case of these numbers. */
const absent: ReadonlySet<RegressionId> = new Set(["A18", "A21", "R11"]);

/**
 * Weaknesses seen elsewhere that the first plugins can show; each is proved by a test that carries its id.
 */
export const regressions = [
  ...upTo("C", 26),
  ...upTo("S", 11),
  ...upTo("A", 32),
  ...upTo("T", 30),
  ...upTo("W", 15),
  ...upTo("R", 16),
].filter((id) => !absent.has(id));
