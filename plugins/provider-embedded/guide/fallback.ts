import type { Candidate } from "../router/rank.ts";

const start =
  "I did not understand that well enough to act on it. I am the built-in guide, not a large language model: I work with plain requests.";
const end = "Ask “what can you do?” for more, or “how do I connect a language model?”.";

/** What to say when nothing fits: the likeliest things that could have been meant, and who is speaking. */
export function fallback(ranked: readonly Candidate[]): string {
  const likely = ranked
    .filter(({ score }) => score > 0.25)
    .slice(0, 3)
    .flatMap(({ route }) => route.examples.slice(0, 1).map(({ say }) => `“${say}”`));
  return likely.length === 0
    ? `${start} ${end}`
    : `${start} You can say, for example, ${likely.join(", or ")}. ${end}`;
}
