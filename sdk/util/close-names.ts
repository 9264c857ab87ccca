const pairsOf = (text: string): ReadonlySet<string> =>
  new Set(Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2).toLowerCase()));

/**
 * Up to `limit` of the names that share most of their pairs of letters with `wanted` (Sørensen–Dice, at least
 * 0.4), the closest first.
 */
export function closeNames(word: string, names: readonly string[], limit = 3): readonly string[] {
  const pairs = pairsOf(word);
  const rated = names.map((name) => {
    const own = pairsOf(name);
    const shared = [...own].filter((pair) => pairs.has(pair));
    return { name, score: (2 * shared.length) / (own.size + pairs.size) };
  });
  const close = rated.filter(({ score }) => score >= 0.4).toSorted((one, other) => other.score - one.score);
  return close.slice(0, limit).map(({ name }) => name);
}
