const replacements: readonly (readonly [RegExp, string])[] = [
  [/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"'],
  [/[\u2018\u2019\u201a]/g, "'"],
  [/[\u2010-\u2014]/g, "-"],
  [/[\u00a0\u202f\t]/g, " "],
];

/** The text with plain quotes, dashes and blanks. Every character keeps its place. */
export const plain = (text: string): string =>
  replacements.reduce((done, [pattern, by]) => done.replace(pattern, by), text);
