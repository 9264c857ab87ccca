import { searchWords } from "@pergola/sdk";

const fillers = new Set(
  (
    "a about an and are as at be by can do does for from had has have how i in is it its " +
    "may of on or should that the their there these this to was were what " +
    "when where which who why will with you your"
  ).split(" "),
);

/** The singular of an English word, nearly: the S-stemmer (Harman 1991). */
function singular(word: string): string {
  if (word.length < 4 || /(ss|us)$/.test(word)) return word;
  return word
    .replace(/([^ae])ies$/, "$1y")
    .replace(/([^aeo])es$/, "$1e")
    .replace(/s$/, "");
}

/** The telling words of a text, folded and in the singular; all of them when none tells more than others. */
export function termsOf(text: string): readonly string[] {
  const words = searchWords(text);
  const telling = words.filter((word) => !fillers.has(word));
  return (telling.length > 0 ? telling : words).map(singular);
}
