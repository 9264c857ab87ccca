import { closeNames } from "./close-names.ts";

/** ` Did you mean "x"?` with the closest candidate, or nothing when none comes near. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const [closest] = closeNames(word, [...candidates], 1);
  if (closest === undefined) return "";
  return ` Did you mean "${closest}"?`;
}
