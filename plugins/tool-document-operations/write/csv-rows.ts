/** One value and the comma before it: quoted, with doubled quotes inside, or plain (RFC 4180). */
const value = /,(?:"((?:[^"]|"")*)"|([^",]*))/gy;

function lineValues(line: string): readonly string[] | undefined {
  const [text, values] = [`,${line}`, [] as string[]];
  value.lastIndex = 0;
  for (let at = 0; at < text.length; at = value.lastIndex) {
    const match = value.exec(text);
    if (match === null) return undefined;
    values.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
  }
  return values;
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
  return rows.every((row) => row?.length === width) ? (rows as readonly (readonly string[])[]) : undefined;
}
