import type { Source } from "./product.ts";

/** Two places with the same lines. Lines are numbered from 1. */
interface EqualBlock {
  readonly left: string;
  readonly right: string;
  /** How many lines of code the two share. */
  readonly lines: number;
}

interface Line {
  readonly number: number;
  readonly text: string;
}

const isThin = (text: string): boolean => /^[\s{}()[\];,]*$/.test(text);
const isComment = (text: string): boolean => /^(\/\/|\/?\*)/.test(text);

/** The lines that say something: no blank lines, comments, imports and lone brackets. */
function codeLines({ text, tree }: Source): readonly Line[] {
  const imports = tree.statements.filter((statement) =>
    /^(import|export .* from)\b/.test(statement.getText(tree)),
  );
  const ranges = imports.map((statement) => [statement.getStart(tree), statement.getEnd()] as const);
  const starts = tree.getLineStarts();
  const isImport = (at: number): boolean => ranges.some(([from, to]) => at >= from && at < to);
  return text
    .split("\n")
    .map((line, index) => ({ number: index + 1, text: line.trim(), at: starts[index] ?? 0 }))
    .filter((line) => !isThin(line.text) && !isComment(line.text) && !isImport(line.at));
}

/**
 * Pairs of places that share more than `longest` lines of code to the letter, indentation aside. A pair is
 * the whole run of equal lines; three equal places are two pairs.
 */
export function equalBlocks(sources: readonly Source[], longest: number): readonly EqualBlock[] {
  const files = sources.map((source) => ({ file: source.file, lines: codeLines(source) }));
  const size = longest + 1;
  const firstSeen = new Map<string, readonly [file: number, line: number]>();
  const found: { key: string; left: string; right: string; lines: number; end: number }[] = [];
  files.forEach(({ file, lines }, index) => {
    for (let at = 0; at + size <= lines.length; at += 1) {
      const window = lines.slice(at, at + size);
      const text = window.map((line) => line.text).join("\n");
      const seen = firstSeen.get(text);
      if (seen === undefined) {
        firstSeen.set(text, [index, at]);
        continue;
      }
      const [otherIndex, otherAt] = seen;
      const other = files[otherIndex];
      const key = `${otherIndex}:${otherAt - at}:${index}`;
      const last = found.at(-1);
      if (last?.key === key && last.end === at - 1) {
        last.lines += 1;
        last.end = at;
        continue;
      }
      const left = `${other?.file}:${other?.lines[otherAt]?.number}`;
      found.push({ key, left, right: `${file}:${window[0]?.number}`, lines: size, end: at });
    }
  });
  return found.map(({ left, right, lines }) => ({ left, right, lines }));
}
