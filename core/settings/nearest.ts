/** The edit distance of two words (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j++) next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (letter === other[j] ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
}

/** ` Did you mean "x"?` with the candidate nearest to a word, or nothing when none comes near. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const [best] = [...candidates]
    .map((name) => ({ name, far: distance(word.slice(0, 64).toLowerCase(), name.toLowerCase()) }))
    .toSorted((a, b) => a.far - b.far);
  return best !== undefined && best.far <= Math.max(2, best.name.length * 0.4) ? ` Did you mean "${best.name}"?` : "";
}
