/** Characters of a chunk at most: about a paragraph or two, which one embedding can stand for. */
const longest = 1500;

/** Where a text is cut best, the best place first. */
const borders: readonly RegExp[] = [/\n\n/g, /\n/g, /[.!?。！？]\s/g, /\s/g];

/** The end of the first chunk: after the last good border in its second half, else between two characters. */
function cutOf(text: string): number {
  if (text.length <= longest) return text.length;
  const window = text.slice(0, longest);
  for (const border of borders) {
    const last = [...window.matchAll(border)].at(-1);
    const end = (last?.index ?? 0) + (last?.[0].length ?? 0);
    if (end > longest / 2) return end;
  }
  if (/[\ud800-\udbff]$/.test(window)) return longest - 1;
  return longest;
}

/**
 * A text in chunks of at most 1,500 UTF-16 units, cut between paragraphs, lines, sentences or words where it
 * can be; nothing but white space is lost.
 */
export function chunkText(text: string): readonly string[] {
  const chunks: string[] = [];
  for (let at = 0; at < text.length;) {
    const length = cutOf(text.slice(at, at + longest + 1));
    chunks.push(text.slice(at, at + length).trim());
    at += length;
  }
  return chunks.filter((chunk) => chunk !== "");
}
