const irregular: Readonly<Record<string, string>> = {
  written: "write",
  wrote: "write",
  said: "say",
  says: "say",
  told: "tell",
  found: "find",
  made: "make",
  got: "get",
  gave: "give",
  bigger: "big",
  larger: "large",
  has: "have",
  had: "have",
  does: "do",
  did: "do",
  done: "do",
  is: "be",
  are: "be",
  was: "be",
  were: "be",
  been: "be",
  directories: "directory",
  entries: "entry",
  dependencies: "dependency",
  properties: "property",
  kept: "keep",
  held: "hold",
  thought: "think",
  thoughts: "think",
  saw: "see",
  seen: "see",
  sent: "send",
  went: "go",
  lives: "live",
  queries: "query",
  this: "this",
  its: "its",
  us: "us",
};

const suffixes: readonly (readonly [RegExp, string])[] = [
  [/(?<=[a-z]{2})ies$/, "y"],
  [/(?<=(?:ss|sh|ch|x|z))es$/, ""],
  [/(?<=[a-z]{2}[^su])s$/, ""],
  [/(?<=[a-z]{2}([bdgmnprt]))\1(?:ing|ed)$/, ""],
  [/(?<=[a-z]{3})(?:ing|ed)$/, ""],
  [/(?<=[a-z]{3})ly$/, ""],
];

/**
 * The word's stem: endings off, a silent e dropped, so that `creating`, `created`, `creates` and `create` are
 * one.
 */
export function stem(word: string): string {
  const base = irregular[word] ?? word;
  const cut = suffixes.reduce((done, [pattern, by]) => done.replace(pattern, by), base);
  return cut.length > 3 ? cut.replace(/e$/, "") : cut;
}
