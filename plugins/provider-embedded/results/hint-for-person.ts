/** Hints are written for models; these turn them to the person, who sees them through the guide. In order. */
const turns: readonly (readonly [RegExp, (match: string, word: string) => string])[] = [
  [/\s*A right call: .*$/s, () => ""],
  [/\s*Tell the person\.\s*$/, () => ""],
  [/\b(?:Ask|Tell) the person to (\p{L})/gu, (_, letter) => letter.toUpperCase()],
  [/`?(?<![.\w])([a-z]+(?:_[a-z]+)+)\b(?!\.\w)`?/g, (_, name) => `“${name.replaceAll("_", " ")}”`],
];

/**
 * A tool's hint as it can be said to the person: operation and parameter names in plain words, no call in
 * JSON.
 */
export const hintForPerson = (hint: string): string =>
  turns.reduce((text, [pattern, by]) => text.replace(pattern, by), hint).trim();
