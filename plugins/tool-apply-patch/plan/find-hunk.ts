import type { Hunk } from "../file-patch.ts";

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);

/** Indexes after each line that follows the anchors, one after the other. */
function startsAfter(lines: readonly string[], anchors: readonly string[]): readonly number[] {
  let starts: readonly number[] = [0];
  for (const anchor of anchors) {
    const from = starts[0] ?? lines.length;
    starts = range(from, lines.length)
      .filter((at) => lines[at]?.trim() === anchor)
      .map((at) => at + 1);
  }
  return starts;
}

function placesForAdding(
  lines: readonly string[],
  { anchors, linesBefore = lines.length }: Hunk,
): readonly number[] {
  if (anchors.length > 0) return startsAfter(lines, anchors);
  return linesBefore <= lines.length ? [linesBefore] : [];
}

/**
 * Every index at which a hunk fits a file's lines (without their ends). With anchors it fits where its old
 * lines first follow them; without old lines it goes after its anchors, to the line its header names, or to
 * the file's end.
 */
export function findHunk(lines: readonly string[], hunk: Hunk): readonly number[] {
  const before = hunk.lines.filter(({ mark }) => mark !== "+").map(({ text }) => text);
  if (before.length === 0) return placesForAdding(lines, hunk);
  const last = lines.length - before.length;
  const first = hunk.isLast === true ? Math.max(0, last) : 0;
  const fits = range(first, last + 1).filter((at) =>
    before.every((text, index) => lines[at + index] === text),
  );
  if (hunk.anchors.length === 0) return fits;
  const starts = startsAfter(lines, hunk.anchors);
  return [...new Set(starts.flatMap((start) => fits.find((at) => at >= start) ?? []))];
}
