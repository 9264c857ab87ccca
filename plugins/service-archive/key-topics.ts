import { compareText } from "@pergola/sdk";

/** How many words tell what a text is about. */
const most = 8;

/**
 * The words with the most weight: said often, and long, for short words are common ones (Zipf's law of
 * abbreviation).
 */
export function keyTopics(text: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}_-]{4,40}/gu))
    if (/\p{L}/u.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const weightOf = ([word, count]: readonly [string, number]): number => count * Math.log(word.length - 2);
  return [...counts]
    .toSorted((a, b) => weightOf(b) - weightOf(a) || compareText(a[0], b[0]))
    .slice(0, most)
    .map(([word]) => word);
}
