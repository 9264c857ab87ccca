import { words } from "./words.ts";

/** Words that stand before a place, a time or a thing; patterns take one for another. */
export const prepositions = words(
  "in at on for from of to by with within over during as about under inside after",
);
