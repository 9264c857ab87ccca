const numbers = (text: string): readonly number[] =>
  text
    .split(".")
    .filter((part) => /^\d+$/.test(part))
    .map(Number);
const compare = (a: readonly number[], b: readonly number[]): number =>
  a.map((part, index) => part - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;

/**
 * Whether a version lies in a range: npm's `*`, `1`, `1.2`, `1.2.3`, `^1.2.3`, `~1.2.3`, `>=1.2.3`, and
 * several of them with `||`.
 */
export function holds(range: string, version: string): boolean {
  const own = numbers(version);
  return range.split("||").some((part) => {
    const match = /^(\^|~|>=|)v?((?:\d+|[x*])(?:\.(?:\d+|[x*])){0,2})$/.exec(part.trim());
    if (match === null) return false;
    const wanted = numbers(match[2]!);
    if (match[1] === "") return compare(wanted, own) === 0;
    if (compare(wanted, own) > 0) return false;
    const fixedParts: Readonly<Record<string, number>> = {
      "^": wanted.findIndex((number) => number > 0) + 1 || wanted.length,
      "~": Math.min(wanted.length, 2),
    };
    const fixed = fixedParts[match[1]!] ?? 0;
    return compare(wanted.slice(0, fixed), own) === 0;
  });
}
