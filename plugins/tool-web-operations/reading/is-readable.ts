import { eachToken } from "./tokens.ts";

/**
 * Above these a tree of the page costs seconds: what is made of it grows with the number of siblings times
 * their depth (`work`, the sum of all elements' depths), with the pieces of text (each entity is one), and
 * with the square of an element's attributes.
 */
const limits = {
  characters: 3_000_000,
  elements: 25_000,
  depth: 200,
  work: 500_000,
  attributes: 500,
  texts: 100_000,
} as const;

/**
 * Elements that hold nothing, or that end where the next of their kind begins: between two of them on a path
 * lies one that counts.
 */
const flat = new Set(
  "area base br col dd dt embed hr img input li link meta option p param source td th tr track wbr".split(
    " ",
  ),
);

/**
 * Tells without a tree, in time linear in the length, whether one can be built and read in a few seconds. The
 * depth is an upper bound.
 */
export function isReadable(html: string): boolean {
  if (html.length > limits.characters) return false;
  const open = new Map<string, number>();
  const most = { elements: 0, depth: 0, work: 0, attributes: 0, texts: 0 };
  let [depth, attributes] = [0, 0];
  const add = (name: string, by: number): void => {
    open.set(name, (open.get(name) ?? 0) + by);
    depth += by;
    most.depth = Math.max(most.depth, depth);
  };
  eachToken(html, {
    open: (name) => {
      if (!flat.has(name)) add(name, 1);
      most.elements += 1;
      most.work += depth;
      attributes = 0;
    },
    attribute: () => {
      attributes += 1;
      most.attributes = Math.max(most.attributes, attributes);
    },
    text: () => {
      most.texts += 1;
    },
    close: (name) => {
      if ((open.get(name) ?? 0) > 0) add(name, -1);
    },
  });
  return (["elements", "depth", "work", "attributes", "texts"] as const).every(
    (name) => most[name] <= limits[name],
  );
}
