const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;
const newFile = /^(diff --git |Index: )/;

/** Whether two file headers and a hunk follow, rather than a deleted line `-- …` and an added one `++ …`. */
const beginsFile = (lines: readonly string[], at: number): boolean =>
  (lines[at] ?? "").startsWith("--- ") &&
  (lines[at + 1] ?? "").startsWith("+++ ") &&
  (lines[at + 2] ?? "@@").startsWith("@@");

/**
 * The diff with each hunk's header counting the lines that follow it: written by hand, headers often count
 * wrongly.
 */
export function recounted(lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => {
    const [, old, fresh] = header.exec(line) ?? [];
    if (old === undefined || fresh === undefined) return line;
    const body = lines.slice(index + 1, endOf(lines, index + 1));
    const count = (other: string): number =>
      body.filter((one) => !one.startsWith(other) && !one.startsWith("\\")).length;
    return `@@ -${old},${count("+")} +${fresh},${count("-")} @@`;
  });
}

function endOf(lines: readonly string[], start: number): number {
  let end = start;
  const ends = (line: string): boolean =>
    !/^([ +\\-]|$)/.test(line) || newFile.test(line) || beginsFile(lines, end);
  while (end < lines.length && !ends(lines[end] ?? "")) end += 1;
  while (end > start && lines[end - 1] === "") end -= 1;
  return end;
}
