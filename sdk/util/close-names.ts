/** The same for two texts with the same parts in any order, 1; 0 for two that share none (Sørensen–Dice). */
function likeness(one: readonly string[], other: readonly string[]): number {
  const left = [...other];
  const shared = one.filter((part) => {
    const at = left.indexOf(part);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return (2 * shared.length) / Math.max(1, one.length + other.length);
}

const lettersOf = (text: string): readonly string[] => [...text.toLowerCase()];

function pairsOf(text: string): readonly string[] {
  const letters = lettersOf(text);
  const pairs = letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
  return [...new Set(pairs)];
}

/**
 * Up to `limit` of the names that are near `wanted`, the closest first: they share many of their pairs of
 * letters (a likeness of at least 0.4), and most of their letters (0.6).
 */
export function closeNames(wanted: string, names: readonly string[], limit = 3): readonly string[] {
  const [pairs, letters] = [pairsOf(wanted), lettersOf(wanted)];
  return names
    .filter((name) => likeness(letters, lettersOf(name)) >= 0.6)
    .map((name) => ({ name, score: likeness(pairs, pairsOf(name)) }))
    .filter(({ score }) => score >= 0.4)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ name }) => name);
}
