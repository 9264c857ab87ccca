import { splitLines } from "../text/lines.ts";

const mostLines = 30;
const mostCharacters = 1000;

/** Some consecutive lines of a file: what is compared with a query as one. */
export interface Chunk {
  /** From 1. */
  readonly firstLine: number;
  readonly text: string;
}

/**
 * Cuts a text into chunks of at most 30 lines and about 1,000 characters, preferably at an empty line. Blank
 * chunks are left out.
 */
export function chunksOf(text: string): readonly Chunk[] {
  const chunks: Chunk[] = [];
  let [lines, characters, firstLine]: [string[], number, number] = [[], 0, 1];
  const close = (): void => {
    const joined = lines.join("");
    if (joined.trim() !== "") chunks.push({ firstLine, text: joined.slice(0, 4 * mostCharacters) });
    firstLine += lines.length;
    [lines, characters] = [[], 0];
  };
  for (const line of splitLines(text)) {
    const isParagraphEnd = line.trim() === "" && characters > mostCharacters / 2;
    if (lines.length > 0 && (characters + line.length > mostCharacters || lines.length === mostLines))
      close();
    lines.push(line);
    characters += line.length;
    if (isParagraphEnd) close();
  }
  close();
  return chunks;
}
