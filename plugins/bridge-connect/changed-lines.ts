/** Lines of context around a change. */
const around = 2;

/** Cells of the largest table that is filled to find the longest common lines. */
const largest = 1_000_000;

const numbered = (sign: string, lines: readonly string[]): readonly string[] =>
  lines.map((line) => `${sign} ${line}`);

/** For each pair of places, how many lines are common from there to the end. */
function commonFrom(before: readonly string[], after: readonly string[]): readonly Uint32Array[] {
  const table = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      table[i]![j] =
        before[i] === after[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!);
  return table;
}

/** The middle of two texts, which begin and end differently, line by line. */
function compared(before: readonly string[], after: readonly string[]): readonly string[] {
  if (before.length * after.length > largest) return [...numbered("-", before), ...numbered("+", after)];
  const table = commonFrom(before, after);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      lines.push(`  ${before[i]}`);
      [i, j] = [i + 1, j + 1];
    } else if (table[i + 1]![j]! >= table[i]![j + 1]!) lines.push(`- ${before[i++]}`);
    else lines.push(`+ ${after[j++]}`);
  }
  return [...lines, ...numbered("-", before.slice(i)), ...numbered("+", after.slice(j))];
}

/** Leaves out the lines that stand away from every change. */
function nearChanges(lines: readonly string[]): readonly string[] {
  const isChange = (line: string | undefined): boolean => line !== undefined && !line.startsWith("  ");
  const isNear = (at: number): boolean =>
    lines.slice(Math.max(0, at - around), at + around + 1).some(isChange);
  return lines.flatMap((line, at) => {
    if (isNear(at)) return [line];
    return at > 0 && isNear(at - 1) ? ["  …"] : [];
  });
}

/** What a text loses and gains, as lines that begin with `-`, `+` or a space, with a few around them. */
export function changedLines(before: string, after: string): readonly string[] {
  const [old, now] = [before, after].map((text) => (text === "" ? [] : text.trimEnd().split(/\r?\n/)));
  const [first, second] = [old ?? [], now ?? []];
  let head = 0;
  while (head < Math.min(first.length, second.length) && first[head] === second[head]) head += 1;
  let tail = 0;
  const rest = Math.min(first.length, second.length) - head;
  while (tail < rest && first.at(-1 - tail) === second.at(-1 - tail)) tail += 1;
  const middle = compared(first.slice(head, first.length - tail), second.slice(head, second.length - tail));
  const [above, below] = [first.slice(0, head), first.slice(first.length - tail)];
  return nearChanges([...numbered(" ", above), ...middle, ...numbered(" ", below)]);
}
