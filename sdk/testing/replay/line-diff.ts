/** Lines that are the same on both sides and stand around a difference. */
const around = 3;

interface Line {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/** For each place in the two texts, how many lines the rests of them have in common, in order. */
function commonLengths(before: readonly string[], after: readonly string[]): readonly Uint32Array[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const isSame = before[row] === after[column];
      const longest = isSame
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
      (lengths[row] as Uint32Array)[column] = longest;
    }
  return lengths;
}

function alignedLines(before: readonly string[], after: readonly string[]): readonly Line[] {
  const lengths = commonLengths(before, after);
  const lines: Line[] = [];
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? -1;
  for (let [row, column] = [0, 0]; row < before.length || column < after.length;) {
    const [old = "", fresh = ""] = [before[row], after[column]];
    const isInBoth = row < before.length && column < after.length && old === fresh;
    const isOld = isInBoth || at(row + 1, column) >= at(row, column + 1);
    const isFresh = isInBoth || !isOld;
    lines.push({ sign: signOf(isInBoth, isOld), text: isOld ? old : fresh });
    row += Number(isOld);
    column += Number(isFresh);
  }
  return lines;
}

function signOf(isInBoth: boolean, isOld: boolean): Line["sign"] {
  if (isInBoth) return " ";
  return isOld ? "-" : "+";
}

/** The lines that `-` takes from one text and `+` adds for the other, with some of those around them. */
export function lineDiff(before: readonly string[], after: readonly string[]): string {
  const lines = alignedLines(before, after);
  const changed = lines.flatMap(({ sign }, index) => (sign === " " ? [] : [index]));
  const isNear = (index: number): boolean => changed.some((place) => Math.abs(place - index) <= around);
  const shown = lines.flatMap(({ sign, text }, index) => {
    if (isNear(index)) return `${sign} ${text}`.trimEnd();
    return isNear(index - 1) ? "  …" : [];
  });
  return shown.join("\n");
}
