const letter = /[a-z]/i;
const plain = /[\w/ -]/;

/**
 * One character as a regular expression of a profile. Case counts for nothing: it does not on a Mac's disk.
 * What could end the expression, or mean something in it, stands for any character: that refuses more, never
 * less.
 */
function patternOf(character: string): string {
  if (letter.test(character)) return `[${character.toLowerCase()}${character.toUpperCase()}]`;
  if (character === "*") return "[^/]*";
  if (character === ".") return "[.]";
  if (plain.test(character)) return character;
  return "[^/]+";
}

const source = (name: string): string => [...name].map(patternOf).join("");

/**
 * Regular expressions for what has a kept name at any depth, and for the folders that such a name begins
 * with, which could be renamed otherwise.
 */
export function namePatterns(names: readonly string[]): readonly string[] {
  const whole = names.map((name) => `/${source(name)}(/|$)`);
  const folders = names.flatMap((name) => {
    const steps = name.split("/");
    return steps.slice(1).map((_, at) => `/${source(steps.slice(0, at + 1).join("/"))}$`);
  });
  return [...new Set([...whole, ...folders])];
}
