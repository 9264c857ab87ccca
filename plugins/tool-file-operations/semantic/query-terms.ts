const fillers = new Set(
  (
    "a an and are as at be by can code do does file files find for from get has have how i in is it its me " +
    "my of on or show that the there this to was what when where which who why with you"
  ).split(" "),
);
const endings = [
  "ations",
  "ation",
  "ingly",
  "ments",
  "ment",
  "ings",
  "ing",
  "ions",
  "ion",
  "edly",
  "ers",
  "ies",
  "ied",
  "ier",
  "ed",
  "er",
  "es",
  "s",
  "y",
  "e",
];
const shortestStem = 4;
const mostTerms = 32;

/** A word without its usual English ending, so that "connecting" and "connection" are one. */
function stem(word: string): string {
  const ending = endings.find(
    (candidate) => word.endsWith(candidate) && word.length - candidate.length >= shortestStem,
  );
  return word.slice(0, word.length - (ending?.length ?? 0));
}

/**
 * The words of a query that are looked for: lower case, names in code taken apart, filler words left out
 * unless there is nothing else, endings removed, each once.
 */
export function queryTerms(query: string): readonly string[] {
  const spaced = query.replace(/([\p{Ll}\d])(?=\p{Lu})/gu, "$1 ");
  const words = spaced.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = words.filter((word) => !fillers.has(word));
  return [...new Set((telling.length > 0 ? telling : words).map(stem))].slice(0, mostTerms);
}
