/** One card of a vCard text, unchanged, with its position in the text. */
export interface Block {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const border = /^(BEGIN|END):[ \t]*VCARD[ \t]*(?:\r?\n|\r|$(?![\s\S]))/gim;

/**
 * The cards of a text, in order, without cards that do not end. A card inside another (vCard 2.1) belongs to
 * the outer one.
 */
export function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  const starts: number[] = [];
  for (const { 0: line, 1: edge = "", index } of text.matchAll(border)) {
    if (edge.toUpperCase() === "BEGIN") {
      starts.push(index);
      continue;
    }
    const start = starts.pop();
    const end = index + line.length;
    if (start !== undefined && starts.length === 0) blocks.push({ text: text.slice(start, end), start, end });
  }
  return blocks;
}

export const replaceBlock = (text: string, { start, end }: Block, fresh: string): string =>
  text.slice(0, start) + fresh + text.slice(end);
