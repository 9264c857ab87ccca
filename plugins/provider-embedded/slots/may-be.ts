import type { Route } from "../router/catalogue.ts";
import type { Gap } from "./frame.ts";
import { hasShape, type Shape } from "./shapes.ts";
import type { Slot } from "./slot.ts";

export const shapeFor = (kind: Gap["kind"]): Shape =>
  kind === "number" || kind === "date" || kind === "choice" || kind === "mark" ? "text" : kind;

/**
 * False for a text where the examples show only sums, units or the like. Words of a sentence (`isBare`) need
 * a capital besides where the examples show names.
 */
export function mayBe(text: string, { name }: Slot, { frames }: Route, isBare = false): boolean {
  const gaps = frames
    .flatMap(({ parts }) => parts.filter((part) => typeof part !== "string"))
    .filter(({ path }) => path[0] === name);
  return gaps.every(
    ({ kind }) => hasShape(shapeFor(kind), text) && (!isBare || kind !== "proper" || /^\p{Lu}/u.test(text)),
  );
}
