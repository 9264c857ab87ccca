/** One value and the comma before it: quoted, with doubled quotes inside, or plain (RFC 4180). */
const value = /,(?:"((?:[^"]|"")*)"|([^",]*))/gy;

/** No value for a line that is none. */
function lineValues(line: string): readonly string[] {
  const text = `,${line}`;
  const matches = [...text.matchAll(value)];
  const length = matches.reduce((sum, [match]) => sum + match.length, 0);
  if (length < text.length) return [];
  return matches.map(([, quoted, plain = ""]) => quoted?.replaceAll('""', '"') ?? plain);
}

/**
 * The rows of comma-separated values; undefined when a text is none: two lines or more, of the same number of
 * values, two at least.
 */
export function csvRows(text: string): readonly (readonly string[])[] | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const rows = lines.map(lineValues);
  const width = rows[0]?.length ?? 0;
  if (rows.length < 2 || width < 2) return undefined;
  if (rows.some((row) => row.length !== width)) return undefined;
  return rows;
}
