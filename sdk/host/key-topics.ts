/**
 * The words of a text that weigh most: frequent ones, and long ones, for short words are common (Zipf's law
 * of abbreviation). Equal ones come in the order of their letters.
 */
export function keyTopics(words: Iterable<string>, most: number): readonly string[] {
  const weights = new Map<string, number>();
  for (const word of words) weights.set(word, (weights.get(word) ?? 0) + Math.log(word.length));
  return [...weights.keys()]
    .toSorted()
    .toSorted((a, b) => weights.get(b)! - weights.get(a)!)
    .slice(0, most);
}
