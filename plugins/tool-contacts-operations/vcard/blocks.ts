/** One card of a vCard text, as it stands there. */
export interface Block {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const border = /^(BEGIN|END):[ \t]*VCARD[ \t]*(?:\r?\n|\r|$(?![\s\S]))/gim;

/**
 * The cards of a text, in order; one that is not closed is left out. A card inside a card (vCard 2.1) is part
 * of it.
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

export const lineEnd = (text: string): string => (/\r?\n/.exec(text) ?? ["\r\n"])[0];
