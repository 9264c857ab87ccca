import { isUnit } from "../language/units.ts";

/** What the values of a text parameter look like, as far as its examples show. */
export type Shape = "unit" | "sum" | "address" | "proper" | "id" | "word" | "text";

export const isAddress = (value: string): boolean => /^\S+@\S+$/.test(value);

const letters = /\p{L}/u;
const isSum = (value: string): boolean =>
  /^[-+(]*(?:\d|[a-z]+\()/.test(value) &&
  /\d/.test(value) &&
  (/\d\s*(?:[-+*/^%×÷]|\*\*)/.test(value) ||
    /^[a-z]+\(.*\)/.test(value) ||
    /\b(?:times|plus|minus|of|over|divided by)\b/.test(value));

const tests: Readonly<Record<Exclude<Shape, "text">, (value: string) => boolean>> = {
  unit: (value) => isUnit(value),
  sum: isSum,
  address: isAddress,
  proper: (value) => /^\p{Lu}/u.test(value) && !/[.!?]$/.test(value),
  id: (value) => /^\S+$/.test(value) && /\d/.test(value) && letters.test(value),
  word: (value) => /^[^\s,;]+$/.test(value),
};

/** True when a value may stand where values of this shape are expected. */
export const hasShape = (shape: Shape, value: string): boolean => {
  if (shape === "id") return /^\S*\d\S*$/.test(value);
  return shape === "text" || shape === "proper" || tests[shape](value);
};

/** The shape that all the values have; `text` when they have none in common. */
export function shapeOf(values: readonly string[]): Shape {
  const shapes = Object.entries(tests) as readonly (readonly [Shape, (value: string) => boolean])[];
  return (
    (values.length === 0
      ? undefined
      : shapes.find(([shape, test]) => values.every(test) && (shape !== "word" || values.length > 1))?.[0]) ??
    "text"
  );
}
