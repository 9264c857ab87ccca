import type { Hunk } from "./patch.ts";

const equalAt = (lines: readonly string[], wanted: readonly string[], at: number): boolean =>
  wanted.every((line, index) => lines[at + index] === line);

/** Positions from which a hunk may be looked for: after its anchors, each found after the one before. */
function startsAfter(lines: readonly string[], anchors: readonly string[]): readonly number[] {
  let starts: readonly number[] = [0];
  for (const anchor of anchors) {
    const from = starts[0] ?? lines.length;
    starts = lines.flatMap((line, index) => (index >= from && line.trim() === anchor ? [index + 1] : []));
  }
  return starts;
}

function firstPlace(lines: readonly string[], wanted: readonly string[], from: number): number | undefined {
  for (let at = from; at + wanted.length <= lines.length; at += 1) if (equalAt(lines, wanted, at)) return at;
  return undefined;
}

function allPlaces(lines: readonly string[], wanted: readonly string[]): readonly number[] {
  const places: number[] = [];
  for (let at = firstPlace(lines, wanted, 0); at !== undefined; at = firstPlace(lines, wanted, at + 1))
    places.push(at);
  return places;
}

/**
 * Where new lines go that stand next to no old ones: after the anchor, where the diff says, or to the end.
 */
function placesWithoutOld(lines: readonly string[], { anchors, linesBefore }: Hunk): readonly number[] {
  if (anchors.length > 0) return startsAfter(lines, anchors);
  const at = linesBefore ?? lines.length;
  return at <= lines.length ? [at] : [];
}

/**
 * Every place, as an index into the file's lines (without their ends), where a hunk fits. A hunk with anchors
 * fits where its old lines first occur after them.
 */
export function hunkPlaces(lines: readonly string[], hunk: Hunk): readonly number[] {
  const wanted = hunk.lines.flatMap(({ mark, text }) => (mark === "+" ? [] : [text]));
  if (wanted.length === 0) return placesWithoutOld(lines, hunk);
  if (hunk.isLast)
    return equalAt(lines, wanted, lines.length - wanted.length) ? [lines.length - wanted.length] : [];
  if (hunk.anchors.length === 0) return allPlaces(lines, wanted);
  const found = startsAfter(lines, hunk.anchors).flatMap((start) => firstPlace(lines, wanted, start) ?? []);
  return [...new Set(found)];
}
