import { words } from "./words.ts";

const irregular: Readonly<Record<string, string>> = {
  is: "be",
  are: "be",
  was: "be",
  were: "be",
  am: "be",
  does: "do",
  did: "do",
  done: "do",
  has: "have",
  had: "have",
  inside: "in",
  within: "in",
  of: "in",
  on: "in",
  at: "in",
  into: "to",
  todos: "to-do",
  todo: "to-do",
  "to-dos": "to-do",
  directories: "directory",
  entries: "entry",
  queries: "query",
};

const endings: readonly (readonly [RegExp, string])[] = [
  [/(?<=[a-z]{2})ies$/, "y"],
  [/(?<=(?:ss|sh|ch|x|z))es$/, ""],
  [/(?<=[a-z]{2}[^su])s$/, ""],
  [/(?<=[a-z]{2}([bdgmnprt]))\1(?:ing|ed)$/, ""],
  [/(?<=[a-z]{3})(?:ing|ed)$/, ""],
];

/**
 * What a word counts as when it is compared: `creating`, `created` and `create` are one, and so are the
 * prepositions of place.
 */
export function wordKey(word: string): string {
  const known = irregular[word];
  if (known !== undefined) return known;
  const stem = endings.reduce((rest, [ending, by]) => rest.replace(ending, by), word);
  return stem.replace(/(?<=.{3})e$/s, "");
}

/** Words of courtesy and the like: they may be added to an example, or left out of it. */
export const politeWords = words("please me us just now");

/** All that may be added or left out. */
export const freeWords: ReadonlySet<string> = new Set([
  ...politeWords,
  ...words("a an the my our your some any all called named titled"),
]);

export const questionWords = words("what which who whom whose where when why how whether");

/** Words that neither begin nor end a value. */
export const bindingWords = words(
  "to of for in on at with from by about into under and or but if unless as than that because not then",
);

/** Words that say nothing about what is meant. */
export const commonWords: ReadonlySet<string> = new Set([
  ...freeWords,
  ...questionWords,
  ...bindingWords,
  ...words(
    "is are was were be been do does did have has had can could will would shall should may might must",
  ),
  ...words("i you he she it we they them him her its their this these those there here so too very also"),
  ...words("'s no yes ok okay hey hi hello want need like let something anything everything nothing"),
  ...words("today tomorrow tonight general order me"),
]);
