/** A component right inside a VCALENDAR, as it stands in the text. */
export interface Block {
  /** In capitals, such as VEVENT. */
  readonly kind: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const border = /^(BEGIN|END):[ \t]*([\w-]+)[ \t]*(?:\r?\n|\r|$(?![\s\S]))/gim;

const deepest = 16;

/** The components of an iCalendar text, in order; one that is not closed is left out. */
export function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  const open: { readonly kind: string; readonly start: number }[] = [];
  for (const { 0: line, 1: edge = "", 2: name = "", index } of text.matchAll(border)) {
    const kind = name.toUpperCase();
    if (edge.toUpperCase() === "BEGIN") {
      if (kind === "VCALENDAR") open.length = 0;
      if (open.length < deepest) open.push({ kind, start: index });
      continue;
    }
    const place = open.findLastIndex((one) => one.kind === kind);
    const [begun] = open.splice(place === -1 ? open.length : place);
    if (begun === undefined || open.length !== 1 || open[0]?.kind !== "VCALENDAR") continue;
    const end = index + line.length;
    blocks.push({ kind, text: text.slice(begun.start, end), start: begun.start, end });
  }
  return blocks;
}

/** The text without these of its blocks, and `more` instead of the first. */
export function replaceBlocks(text: string, blocks: readonly Block[], more = ""): string {
  const [first] = blocks;
  return [...blocks]
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (kept, block) => kept.slice(0, block.start) + (block === first ? more : "") + kept.slice(block.end),
      text,
    );
}

export const lineEnd = (text: string): string => (/\r?\n/.exec(text) ?? ["\r\n"])[0];

/** The text with one more component before its end; undefined when the text is no calendar. */
export function addBlock(text: string, block: string): string | undefined {
  const end = [...text.matchAll(/^END:VCALENDAR/gim)].at(-1)?.index;
  if (end === undefined) return undefined;
  return text.slice(0, end) + block.replace(/\r?\n/g, lineEnd(text)) + text.slice(end);
}
